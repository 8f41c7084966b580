// What each row got in the last minute.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "sched/types.h"

namespace fairfs::cli {

/// Shares of the last kSeconds seconds, one each, whatever the refresh. Time is an argument.
class LiveHistory {
 public:
  static constexpr std::size_t kSeconds = 60;

  /// The share that `id` got from the last call of `turn` to `now`.
  void add(const std::string& id, double share, sched::Time now);
  /// Forgets who had nothing for a minute.
  void expire(sched::Time now);
  /// `columns` numbers, the oldest first, each the mean of its part of the minute before `now`; a second that was not
  /// seen counts as nothing.
  [[nodiscard]] std::vector<double> shares(const std::string& id, std::size_t columns, sched::Time now) const;
  [[nodiscard]] std::size_t size() const { return series_.size(); }

 private:
  struct Series {
    std::array<float, kSeconds> shares{};  // by second, modulo kSeconds
    std::int64_t last = 0;                 // second of the newest
  };
  std::unordered_map<std::string, Series> series_;
};

}  // namespace fairfs::cli
