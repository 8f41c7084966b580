// Many more files known than descriptors allowed.

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/mount/backing.h"

namespace fairfs::test {
namespace {

constexpr rlim_t kLimit = kFewDescriptors;
constexpr uid_t kStranger = 23453;
constexpr int kFolders = 10, kFilesEach = 300;

/// Once where files are opened by their handles, and once where they can't be.
class FewDescriptors : public BackedTest, public testing::WithParamInterface<Backing> {
 protected:
  void SetUp() override {
    DaemonTest::SetUp();
    if (IsSkipped()) return;
    mount_backing(GetParam());
    if (HasFatalFailure()) return;
    for (int folder = 0; folder < kFolders; ++folder) {
      std::filesystem::create_directory(source(file_name(folder)));
      for (int file = 0; file < kFilesEach; ++file) write_file(source(file_name(folder, file)), "");
    }
    ASSERT_EQ(run({program(), source(), mountpoint()}, few_descriptors).status, 0);
  }
  static std::string file_name(int folder) { return "folder-" + std::to_string(folder); }
  static std::string file_name(int folder, int file) { return file_name(folder) + "/file-" + std::to_string(file); }

  /// Makes every file known, by its attributes. How many there are.
  int look_at_all() const {
    int count = 0;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{mountpoint()}) {
      struct stat status {};
      if (entry.is_regular_file() && ::stat(entry.path().c_str(), &status) == 0) ++count;
    }
    return count;
  }
};

TEST_P(FewDescriptors, AWideTreeIsListedAndUsed) {
  EXPECT_EQ(look_at_all(), kFolders * kFilesEach);
  EXPECT_LT(descriptors_of(daemon()), kLimit);
  EXPECT_EQ(as_user(kStranger, kStranger, {}, [&] { return look_at_all() == kFolders * kFilesEach ? 0 : 1; }), 0);
  for (int folder = 0; folder < kFolders; ++folder) {
    write_file(mountpoint(file_name(folder, 7)), "written");
    EXPECT_EQ(read_file(source(file_name(folder, 7))), "written");
    EXPECT_EQ(status_of(mountpoint(file_name(folder, 8))).st_ino, status_of(source(file_name(folder, 8))).st_ino);
  }
}

TEST_P(FewDescriptors, RemovedFilesStayWithThoseWhoHoldThem) {
  const UniqueFd path = open_file(mountpoint(file_name(0, 0)), O_PATH);
  const UniqueFd open = open_file(mountpoint(file_name(0, 1)), O_RDWR);
  std::filesystem::create_directory(mountpoint("gone"));
  const UniqueFd folder = open_file(mountpoint("gone"), O_PATH | O_DIRECTORY);
  look_at_all();  // by now others have their descriptors
  ASSERT_EQ(::unlink(mountpoint(file_name(0, 0)).c_str()), 0);
  ASSERT_EQ(::unlink(mountpoint(file_name(0, 1)).c_str()), 0);
  ASSERT_EQ(::rmdir(mountpoint("gone").c_str()), 0);
  look_at_all();
  for (const int fd : {path.get(), open.get(), folder.get()}) {
    struct stat status {};
    EXPECT_EQ(::fstat(fd, &status), 0);
    EXPECT_EQ(status.st_nlink, 0u);
  }
  EXPECT_EQ(::write(open.get(), "kept", 4), 4);
}

TEST_P(FewDescriptors, AFileReplacedBehindTheMountIsTheNewOne) {
  struct stat before = status_of(mountpoint(file_name(0, 0)));
  look_at_all();
  ASSERT_EQ(::unlink(source(file_name(0, 0)).c_str()), 0);
  write_file(source(file_name(0, 0)), "another");  // most file systems give it the number that has just become free
  EXPECT_TRUE(eventually(kCoherent, [&] { return read_file(mountpoint(file_name(0, 0))) == "another"; }));
  EXPECT_EQ(status_of(mountpoint(file_name(0, 0))).st_ino, status_of(source(file_name(0, 0))).st_ino);
  EXPECT_EQ(before.st_size, 0);
}

INSTANTIATE_TEST_SUITE_P(Backings, FewDescriptors, testing::Values(Backing::disk, Backing::overlay),
                         [](const auto& info) { return name_of(info.param); });

}  // namespace
}  // namespace fairfs::test
