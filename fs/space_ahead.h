// Space behind the end of files that grow side by side, on ext4: it would lay them out in alternating pieces.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <mutex>
#include <thread>
#include <unordered_map>

#include "fs/handle.h"
#include "fs/inode_table.h"
#include "sched/space_plan.h"

namespace fairfs::fs {

/// Reserves by fallocate(2) with FALLOC_FL_KEEP_SIZE, how much and when by sched::SpacePlan, and gives back what was
/// not written when all writers have closed the file. Nobody sees it but in st_blocks, and in the ctime of a file
/// that had some left: taking it off stamps the file; mtime and file capabilities are put back. Thread-safe.
///
/// To give back is to truncate a file to the size it has, which must not race with somebody who makes it longer: it is
/// done under a write lease, which the kernel grants only while nobody else has the file open, and which makes others'
/// open(2) wait. Files to which callers have given such space themselves are left alone.
class SpaceAhead {
 public:
  struct Place {
    int source = -1;      ///< the directory that is mirrored
    int proc_fd = -1;     ///< O_PATH of /proc/self/fd, borrowed
    bool wanted = false;  ///< false: does nothing
  };
  SpaceAhead(InodeTable& inodes, const Place& place);
  /// Gives everything back. No file is open through the mount any more.
  ~SpaceAhead();
  SpaceAhead(const SpaceAhead&) = delete;
  SpaceAhead& operator=(const SpaceAhead&) = delete;

  /// `bytes` are about to be written at `offset`, through the page cache. May wait for the file system, as the
  /// write itself may. Failures are nobody's concern: the write will tell what matters.
  void before_write(const FileHandle& handle, std::uint64_t offset, std::uint64_t bytes) noexcept;
  /// The kernel lets go of the inode: of one without a name nothing is kept, so that its blocks are free at once.
  void forgotten(Inode& inode) noexcept;

 private:
  using Clock = std::chrono::steady_clock;
  struct Growing {
    InodePin inode;
    Clock::time_point next_try{};
    std::chrono::milliseconds pause{};
  };

  void grow(const FileHandle& handle, std::uint64_t offset, const sched::SpacePlan::Range& run);
  [[nodiscard]] std::uint64_t reserve(const FileHandle& handle, std::uint64_t offset,
                                      const sched::SpacePlan::Range& wanted, bool first);
  void look_after();
  void visit_all(bool at_the_end);
  [[nodiscard]] bool give_back(Inode& inode) noexcept;

  InodeTable& inodes_;
  const int proc_fd_;
  const bool wanted_;
  std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_.
  sched::SpacePlan plan_;
  std::unordered_map<sched::FileId, Growing> growing_;
  bool stopping_ = false;
  std::thread keeper_;  // started with the first file
};

}  // namespace fairfs::fs
