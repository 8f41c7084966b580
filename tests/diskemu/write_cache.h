// A write-back cache before a disk: a drive's own buffer, or a controller's with a battery.
#pragma once

#include <deque>
#include <map>
#include <unordered_map>

#include "tests/diskemu/device.h"

namespace fairfs::test {

struct WriteCacheConfig {
  std::uint64_t capacity = 0;                        ///< bytes
  bool battery = false;                              ///< a flush has nothing to do
  Duration latency = std::chrono::microseconds{20};  ///< of a command that the cache answers
  std::uint64_t bytes_per_s = 1'000'000'000;         ///< into and out of the cache, one command at a time
  std::size_t destages = 32;                         ///< writes it gives the disk at once
  std::uint64_t destage_bytes = 256 * 1024;          ///< longest of them: neighbours are merged up to that
};

/// Writes are answered at the cache's speed while they fit and wait for room when they don't. Dirty blocks go to the
/// disk at once, in rising order of address and merged; rewriting a dirty block costs nothing. A flush is answered when
/// everything written before it is on the disk. Reads of blocks that are all dirty come from the cache.
class WriteCache final : public Device {
 public:
  WriteCache(std::unique_ptr<Device> disk, const WriteCacheConfig& config);

  void submit(const IoRequest& request, Time now) override;
  [[nodiscard]] Time next_event() const override;
  [[nodiscard]] bool saturated() const override { return false; }  // a write may be answered at any time
  void advance(Time now, Outcome& outcome) override;
  void set_slowness(double factor) override;

 private:
  // Dirty stretches, start to end, not overlapping and not touching. One set for each flush that waits, and one for
  // what was written since.
  using Extents = std::map<std::uint64_t, std::uint64_t>;
  struct Generation {
    Extents dirty;
    std::uint64_t destaging = 0;         // writes the disk has
    std::vector<std::uint64_t> flushes;  // answered when the two above are empty
  };
  struct Destage {
    std::uint64_t generation = 0;
    std::uint64_t bytes = 0;
  };

  void step(Time now, Outcome& outcome);
  void accept_write(const IoRequest& request, Time now);
  void admit_waiting(Time now);
  void destage(Time now);
  void settle_flushes(Time now);
  void answer(std::uint64_t id, std::uint64_t bytes, Time now);
  [[nodiscard]] bool is_dirty(std::uint64_t start, std::uint64_t end) const;

  std::unique_ptr<Device> disk_;
  const WriteCacheConfig config_;
  double slowness_ = 1;
  std::uint64_t used_ = 0;                               // bytes dirty or on their way to the disk
  std::uint64_t position_ = 0;                           // where the last destage ended
  std::uint64_t oldest_ = 0;                             // generation number of generations_.front()
  std::deque<Generation> generations_;                   // never empty
  std::unordered_map<std::uint64_t, Destage> destages_;  // by the id the disk knows
  std::uint64_t next_destage_;
  std::deque<IoRequest> waiting_;  // writes for which there is no room, and what came after them
  Time free_{};                    // when the cache can take the next command
  std::multimap<Time, std::uint64_t> answers_;
  Outcome scratch_;
};

}  // namespace fairfs::test
