// How many files and directories the users of a mount may have open at once, each and together.
#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstddef>
#include <mutex>
#include <unordered_map>
#include <utility>

namespace fairfs::fs {

class HandleBudget;

/// The right to one open file or directory; given back on destruction. Empty when it was refused. Movable, not
/// thread-safe. The budget must outlive it.
class HandleSeat {
 public:
  HandleSeat() = default;
  HandleSeat(HandleSeat&& other) noexcept : budget_(std::exchange(other.budget_, nullptr)), user_(other.user_) {}
  HandleSeat& operator=(HandleSeat&&) = delete;
  ~HandleSeat();
  explicit operator bool() const noexcept { return budget_ != nullptr; }

 private:
  friend class HandleBudget;
  HandleSeat(HandleBudget& budget, uid_t user) noexcept : budget_(&budget), user_(user) {}

  HandleBudget* budget_ = nullptr;
  uid_t user_ = 0;
};

/// Thread-safe. Root and the daemon's own user may take whatever is left. Any other user may have at most as many as
/// are free, an eighth kept for those two aside: one greedy user stops at half, two at a third each, n at 1/(n+1), and
/// as much as each of them has stays free for the next. (The dynamic threshold of Choudhury and Hahne, IEEE/ACM ToN
/// 6(2), 1998, with factor 1.)
class HandleBudget {
 public:
  /// `most`: handles of all users together. `owner`: the daemon's user.
  HandleBudget(std::size_t most, uid_t owner) : most_(most), owner_(owner) {}
  HandleBudget(const HandleBudget&) = delete;
  HandleBudget& operator=(const HandleBudget&) = delete;

  [[nodiscard]] HandleSeat take(uid_t user);

  [[nodiscard]] std::size_t most() const noexcept { return most_; }
  [[nodiscard]] std::size_t taken() const noexcept { return taken_.load(std::memory_order_relaxed); }
  [[nodiscard]] std::size_t taken_by(uid_t user) const;

 private:
  friend class HandleSeat;
  [[nodiscard]] bool may_take(uid_t user, std::size_t has) const noexcept;
  void give_back(uid_t user) noexcept;

  const std::size_t most_;
  const uid_t owner_;
  mutable std::mutex mutex_;
  std::atomic<std::size_t> taken_{0};  ///< changed under mutex_
  // Guarded by mutex_.
  std::unordered_map<uid_t, std::size_t> users_;  ///< those that have any
};

}  // namespace fairfs::fs
