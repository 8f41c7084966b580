// Several disks as one: RAID-0.
#pragma once

#include <unordered_map>

#include "tests/diskemu/device.h"

namespace fairfs::test {

/// Chunk k of the host's addresses lies on member k mod n. A request is done when its last part is; a member's work is
/// divided by n, so that n busy members together make one busy disk.
class Stripe final : public Device {
 public:
  /// Owns the members; all the same size, at least one. `chunk_bytes` is 256 KiB in the models of this folder.
  Stripe(std::vector<std::unique_ptr<Device>> members, std::uint64_t chunk_bytes);

  void submit(const IoRequest& request, Time now) override;
  [[nodiscard]] Time next_event() const override;
  [[nodiscard]] bool saturated() const override;
  void advance(Time now, Outcome& outcome) override;
  void set_slowness(double factor) override;

 private:
  void submit_part(std::size_t member, IoRequest part, std::uint64_t request, Time now);
  [[nodiscard]] std::uint64_t host_offset(std::size_t member, std::uint64_t offset) const;

  std::vector<std::unique_ptr<Device>> members_;
  const std::uint64_t chunk_bytes_;
  std::uint64_t next_part_ = 0;
  std::unordered_map<std::uint64_t, std::uint64_t> parts_;     // the host's id, by the id the member knows
  std::unordered_map<std::uint64_t, std::size_t> unfinished_;  // parts left, by the host's id
  Outcome scratch_;
};

}  // namespace fairfs::test
