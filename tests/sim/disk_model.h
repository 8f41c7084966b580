// A disk as the simulation sees it.
#pragma once

#include <cstdint>
#include <vector>

#include "sched/types.h"

namespace fairfs::test {

/// What a request wants of the disk.
struct Access {
  sched::Operation operation{};
  std::uint64_t inode = 0, offset = 0, bytes = 0;
  sched::Duration cost{};  ///< by the profile
};

class DiskModel {
 public:
  DiskModel() = default;
  DiskModel(const DiskModel&) = delete;
  DiskModel& operator=(const DiskModel&) = delete;
  virtual ~DiskModel() = default;

  /// The disk has the request from `now` on, up to which it was advanced.
  virtual void start(std::uint64_t id, const Access& access, sched::Time now) = 0;
  /// When `advance` next has something to say; kNever: only after another start.
  [[nodiscard]] virtual sched::Time next_event() const = 0;
  /// Appends the ids of the requests that have ended by `now`.
  virtual void advance(sched::Time now, std::vector<std::uint64_t>& ended) = 0;
  /// Requests that start from here on take this many times as long.
  virtual void set_slowness(double factor) = 0;
  /// Time that the medium worked for a file, where the model accounts it.
  [[nodiscard]] virtual sched::Duration worked(std::uint64_t /*inode*/) const { return {}; }
};

}  // namespace fairfs::test
