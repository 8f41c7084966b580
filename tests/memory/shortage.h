// Memory that runs out when a test says so.
#pragma once

namespace fairfs::test {

/// From its beginning `after` allocations by operator new succeed, on whatever threads; the next one fails, or all from
/// there on, until its end. One at a time. A std::new_handler is called first, as the standard says.
class Shortage {
 public:
  enum class Kind : bool { passing, lasting };
  Shortage(long after, Kind kind);
  ~Shortage() { end(); }
  Shortage(const Shortage&) = delete;
  Shortage& operator=(const Shortage&) = delete;

  void end();
  /// Allocations that have failed.
  [[nodiscard]] static long failed();
};

}  // namespace fairfs::test
