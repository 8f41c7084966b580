// Whose files are: ownership, umask, permissions, set-id bits, as seen by other users than root.

#include <fcntl.h>
#include <sys/stat.h>

#include "tests/mount/mount.h"

namespace fairfs::test {
namespace {

class Owners : public MountTest {};

constexpr uid_t kNobody = 65534;
constexpr gid_t kTeam = 4242;  // a group nobody is in

/// 0 or the errno of creating `path` with `mode`.
int create(const Path& path, mode_t mode) {
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL, mode);
  if (fd < 0) return errno;
  ::close(fd);
  return 0;
}

int try_open(const Path& path, int flags) {
  const int fd = ::open(path.c_str(), flags);
  if (fd < 0) return errno;
  ::close(fd);
  return 0;
}

TEST_F(Owners, CreatedThingsBelongToTheirCaller) {
  ASSERT_EQ(as_user(kNobody, kTeam, {},
                    [&] {
                      if (const int error = create(mounted("file"), 0644)) return error;
                      if (::mkdir(mounted("folder").c_str(), 0755)) return errno;
                      if (::symlink("file", mounted("link").c_str())) return errno;
                      if (::mkfifo(mounted("fifo").c_str(), 0644)) return errno;
                      return 0;
                    }),
            0);
  for (const char* name : {"file", "folder", "link", "fifo"}) {
    for (const Path& path : {mounted(name), source(name)}) {
      EXPECT_EQ(link_status_of(path).st_uid, kNobody) << path;
      EXPECT_EQ(link_status_of(path).st_gid, kTeam) << path;
    }
  }
}

TEST_F(Owners, UmaskIsTheCallers) {
  ASSERT_EQ(as_user(kNobody, kNobody, {},
                    [&] {
                      ::umask(027);
                      if (const int error = create(mounted("file"), 0666)) return error;
                      if (::mkdir(mounted("folder").c_str(), 0777)) return errno;
                      if (::mkfifo(mounted("fifo").c_str(), 0666)) return errno;
                      return 0;
                    }),
            0);
  EXPECT_EQ(status_of(source("file")).st_mode & 07777, 0640u);
  EXPECT_EQ(status_of(source("folder")).st_mode & 07777, 0750u);
  EXPECT_EQ(status_of(source("fifo")).st_mode & 07777, 0640u);
  ASSERT_EQ(in_child([&] {
              ::umask(0);
              return create(mounted("open"), 0666);
            }),
            0);
  EXPECT_EQ(status_of(source("open")).st_mode & 07777, 0666u);
}

TEST_F(Owners, PermissionsAreChecked) {
  write_file(mounted("secret"), "root's");
  ASSERT_EQ(::chmod(mounted("secret").c_str(), 0600), 0);
  ASSERT_EQ(::mkdir(mounted("closed").c_str(), 0700), 0);
  write_file(mounted("closed/inner"), "");
  const auto as_nobody = [&](const std::function<int()>& body) { return as_user(kNobody, kNobody, {}, body); };
  EXPECT_EQ(as_nobody([&] { return try_open(mounted("secret"), O_RDONLY); }), EACCES);
  EXPECT_EQ(as_nobody([&] { return try_open(mounted("closed/inner"), O_RDONLY); }), EACCES);
  EXPECT_EQ(as_nobody([&] { return create(mounted("closed/new"), 0644); }), EACCES);
  EXPECT_EQ(as_nobody([&] { return ::chmod(mounted("secret").c_str(), 0777) ? errno : 0; }), EPERM);
  EXPECT_EQ(as_nobody([&] { return ::chown(mounted("secret").c_str(), kNobody, kNobody) ? errno : 0; }), EPERM);
  ASSERT_EQ(::chmod(mounted("secret").c_str(), 0644), 0);
  EXPECT_EQ(as_nobody([&] { return try_open(mounted("secret"), O_RDONLY); }), 0);
  EXPECT_EQ(as_nobody([&] { return try_open(mounted("secret"), O_WRONLY); }), EACCES);
}

TEST_F(Owners, SupplementaryGroupsCount) {
  write_file(mounted("shared"), "team's");
  ASSERT_EQ(::chown(mounted("shared").c_str(), 0, kTeam), 0);
  ASSERT_EQ(::chmod(mounted("shared").c_str(), 0640), 0);
  const auto read = [&] { return try_open(mounted("shared"), O_RDONLY); };
  EXPECT_EQ(as_user(kNobody, kNobody, {kTeam}, read), 0);
  EXPECT_EQ(as_user(kNobody, kNobody, {}, read), EACCES);
}

TEST_F(Owners, SetGroupIdDirectoriesHandTheirGroupDown) {
  ASSERT_EQ(::mkdir(mounted("team").c_str(), 0755), 0);
  ASSERT_EQ(::chown(mounted("team").c_str(), 0, kTeam), 0);
  ASSERT_EQ(::chmod(mounted("team").c_str(), 02777), 0);
  ASSERT_EQ(as_user(kNobody, kNobody, {},
                    [&] {
                      if (const int error = create(mounted("team/file"), 0644)) return error;
                      return ::mkdir(mounted("team/folder").c_str(), 0755) ? errno : 0;
                    }),
            0);
  EXPECT_EQ(status_of(source("team/file")).st_gid, kTeam);
  EXPECT_EQ(status_of(source("team/file")).st_uid, kNobody);
  EXPECT_EQ(status_of(source("team/folder")).st_gid, kTeam);
  EXPECT_EQ(status_of(source("team/folder")).st_mode & 07777, 02755u);
}

TEST_F(Owners, StickyDirectoriesProtectFiles) {
  ASSERT_EQ(::chmod(mounted().c_str(), 01777), 0);
  write_file(mounted("roots"), "");
  EXPECT_EQ(as_user(kNobody, kNobody, {}, [&] { return ::unlink(mounted("roots").c_str()) ? errno : 0; }), EPERM);
}

TEST_F(Owners, ChownAndChmodReachTheBackingFile) {
  write_file(mounted("a"), "");
  const UniqueFd file = open_file(mounted("a"), O_RDWR);
  ASSERT_EQ(::fchown(file.get(), 1234, 4321), 0);
  ASSERT_EQ(::fchmod(file.get(), 04751), 0);
  for (const Path& path : {mounted("a"), source("a")}) {
    EXPECT_EQ(status_of(path).st_uid, 1234u) << path;
    EXPECT_EQ(status_of(path).st_gid, 4321u) << path;
    EXPECT_EQ(status_of(path).st_mode & 07777, 04751u) << path;
  }
}

TEST_F(Owners, WritingByAnotherTakesSetUserIdAway) {
  for (const bool truncate : {false, true}) {
    write_file(mounted("tool"), "program");
    ASSERT_EQ(::chmod(mounted("tool").c_str(), 06777), 0);
    ASSERT_EQ(status_of(source("tool")).st_mode & 07777, 06777u);
    ASSERT_EQ(as_user(kNobody, kNobody, {},
                      [&] {
                        const int fd = ::open(mounted("tool").c_str(), O_WRONLY);
                        if (fd < 0) return errno;
                        return (truncate ? ::ftruncate(fd, 3) : ::write(fd, "x", 1) - 1) ? errno : 0;
                      }),
              0);
    EXPECT_EQ(status_of(source("tool")).st_mode & 07777, 0777u) << (truncate ? "truncate" : "write");
    EXPECT_EQ(status_of(mounted("tool")).st_mode & 07777, 0777u) << (truncate ? "truncate" : "write");
  }
}

TEST_F(Owners, RootKeepsSetUserIdWhenWriting) {
  write_file(mounted("tool"), "program");
  ASSERT_EQ(::chmod(mounted("tool").c_str(), 04755), 0);
  const UniqueFd file = open_file(mounted("tool"), O_WRONLY);
  ASSERT_EQ(::write(file.get(), "x", 1), 1);
  EXPECT_EQ(status_of(source("tool")).st_mode & 07777, 04755u);
}

}  // namespace
}  // namespace fairfs::test
