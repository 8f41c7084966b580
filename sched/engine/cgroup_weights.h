// What weight the administrator gave a cgroup in the cgroup's own files.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "sched/engine/cgroup_path.h"
#include "sched/types.h"

namespace fairfs::engine {

/// Thread-safe. Reads a cgroup's files at the first question about it and again at `refresh`, never in between.
class CgroupWeights {
 public:
  explicit CgroupWeights(CgroupMount mount) : mount_(std::move(mount)) {}

  /// Of io.weight, io.bfq.weight, blkio.bfq.weight and blkio.weight the first that is there, clamped to 1..10000: the
  /// kernel's numbers count as they stand although BFQ's end at 1000. Nothing when there is none.
  [[nodiscard]] std::optional<sched::Weight> of(const std::string& cgroup);
  /// Reads all known cgroups again; forgets those that nobody asked for since the last refresh.
  void refresh();
  [[nodiscard]] std::size_t size() const;

 private:
  struct Known {
    std::optional<sched::Weight> weight;
    bool asked = true;
  };
  [[nodiscard]] std::optional<sched::Weight> read(const std::string& cgroup) const;

  const CgroupMount mount_;
  mutable std::mutex mutex_;
  std::map<std::string, Known> known_;  // guarded by mutex_
};

/// "default 100", "100", with or without lines for devices after it.
[[nodiscard]] std::optional<sched::Weight> parse_weight(std::string_view text);

}  // namespace fairfs::engine
