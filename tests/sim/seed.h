// One number that reproduces a random test.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <random>

namespace fairfs::test {

enum class Seed : std::uint64_t {};

/// The seeds that a random test runs: `count` from 1 up, or only $FAIRFS_SEED when that is set.
struct SeedRange {
  std::uint64_t first = 1, last = 0;
};
inline SeedRange seeds(std::uint64_t count) {
  const char* chosen = std::getenv("FAIRFS_SEED");
  if (chosen == nullptr) return {1, count};
  const std::uint64_t seed = std::strtoull(chosen, nullptr, 10);
  return {seed, seed};
}

/// Same numbers on every standard library: std::uniform_int_distribution's are not prescribed, an engine's are.
class Random {
 public:
  explicit Random(Seed seed) : engine_(static_cast<std::uint64_t>(seed)) {}
  /// first..last, both possible.
  std::uint64_t between(std::uint64_t first, std::uint64_t last) { return first + engine_() % (last - first + 1); }
  bool chance(unsigned percent) { return between(1, 100) <= percent; }

 private:
  std::mt19937_64 engine_;
};

}  // namespace fairfs::test
