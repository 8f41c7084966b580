// Who holds an inode, and what happens when its number comes back.
#include "fs/inode_table.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include <cstddef>
#include <random>
#include <thread>
#include <vector>

namespace fairfs::fs {
namespace {

constexpr InodeTable::Found kFile{.key = {.device = 1, .number = 42}, .type = S_IFREG, .birth = 1000};

UniqueFd any_descriptor() { return UniqueFd{::open("/dev/null", O_PATH | O_CLOEXEC)}; }
bool is_open(int fd) { return ::fcntl(fd, F_GETFD) >= 0; }

TEST(InodeTable, TheSameFileIsOneInodeUntilAllLookupsAreForgotten) {
  InodeTable table;
  Inode& first = table.look_up(any_descriptor(), kFile);
  Inode& again = table.look_up(any_descriptor(), kFile);
  EXPECT_EQ(&first, &again);
  table.forget(first, 1);
  EXPECT_EQ(table.size(), 1U);
  EXPECT_EQ(first.key, kFile.key);
  table.forget(first, 1);
  EXPECT_EQ(table.size(), 0U);
}

TEST(InodeTable, KeepsOneDescriptorForEachInode) {
  InodeTable table;
  UniqueFd first = any_descriptor(), second = any_descriptor();
  const int kept = first.get(), spare = second.get();
  Inode& inode = table.look_up(std::move(first), kFile);
  table.look_up(std::move(second), kFile);
  EXPECT_TRUE(is_open(kept));
  EXPECT_FALSE(is_open(spare));
  table.forget(inode, 2);
  EXPECT_FALSE(is_open(kept));
}

TEST(InodeTable, TellsDevicesApart) {
  InodeTable table;
  const InodeTable::Found elsewhere{.key = {.device = 2, .number = 42}, .type = S_IFREG, .birth = 1000};
  EXPECT_NE(&table.look_up(any_descriptor(), kFile), &table.look_up(any_descriptor(), elsewhere));
  EXPECT_EQ(table.size(), 2U);
}

TEST(InodeTable, AHandleKeepsItsInodeAfterTheLastForget) {
  InodeTable table;
  Inode& inode = table.look_up(any_descriptor(), kFile);
  {
    const InodePin pin = table.pin(inode);
    table.forget(inode, 1);
    EXPECT_EQ(table.size(), 1U);
    EXPECT_EQ(pin->key, kFile.key);
    EXPECT_EQ(&table.look_up(any_descriptor(), kFile), &inode);  // found again by name: still the same
    table.forget(inode, 1);
  }
  EXPECT_EQ(table.size(), 0U);
}

TEST(InodeTable, AMovedPinReleasesOnce) {
  InodeTable table;
  Inode& inode = table.look_up(any_descriptor(), kFile);
  InodePin pin = table.pin(inode), other = table.pin(inode);
  pin = std::move(other);  // the hold that pin had goes
  const InodePin last{std::move(pin)};
  table.forget(inode, 1);
  EXPECT_EQ(table.size(), 1U);
  EXPECT_EQ(&*last, &inode);
}

TEST(InodeTable, AForgottenNumberComesBackWithANewGeneration) {
  InodeTable table;
  Inode& before = table.look_up(any_descriptor(), kFile);
  const std::uint64_t generation = before.generation;
  table.forget(before, 1);
  EXPECT_GT(table.look_up(any_descriptor(), kFile).generation, generation);
}

TEST(InodeTable, ANumberThatAnotherFileTookOverIsANewInodeAndTheOldOneStays) {
  InodeTable table;
  InodeTable::Found directory = kFile, younger = kFile;
  directory.type = S_IFDIR;
  younger.birth = 2000;
  Inode& file = table.look_up(any_descriptor(), kFile);
  Inode& second = table.look_up(any_descriptor(), directory);
  Inode& third = table.look_up(any_descriptor(), younger);
  EXPECT_THAT((std::vector{file.generation, second.generation, third.generation}), testing::ElementsAre(1, 2, 3));
  EXPECT_EQ(table.size(), 3U);
  table.forget(file, 1);
  table.forget(second, 1);
  EXPECT_EQ(table.size(), 1U);
  EXPECT_EQ(&table.look_up(any_descriptor(), younger), &third);
}

// Four threads look up, pin and forget eight files at random, each forgetting only what it took. An inode freed while
// one still holds it is for the sanitizers to find; a count gone wrong leaves the table not empty.
TEST(InodeTable, LookupsAndForgetsRace) {
  InodeTable table;
  constexpr int kRounds = 20000;
  const auto work = [&table](unsigned seed) {
    std::minstd_rand random{seed};
    std::vector<Inode*> held;
    std::vector<InodePin> pins;
    for (int round = 0; round < kRounds; ++round) {
      const ino_t number = 1 + random() % 8;
      if (held.size() < 4) {
        Inode& inode = table.look_up(UniqueFd{}, {.key = {.device = 1, .number = number}, .type = S_IFREG, .birth = 0});
        ASSERT_EQ(inode.key.number, number);
        held.push_back(&inode);
        if (random() % 4 == 0) pins.push_back(table.pin(inode));
      } else {
        const std::size_t which = random() % held.size();
        ASSERT_EQ(held[which]->key.device, 1U);
        table.forget(*held[which], 1);
        held.erase(held.begin() + static_cast<std::ptrdiff_t>(which));
        if (pins.size() > 3) pins.erase(pins.begin());
      }
    }
    for (Inode* inode : held) table.forget(*inode, 1);
  };
  std::vector<std::thread> threads;
  for (unsigned seed = 1; seed <= 4; ++seed) threads.emplace_back(work, seed);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(table.size(), 0U);
}

}  // namespace
}  // namespace fairfs::fs
