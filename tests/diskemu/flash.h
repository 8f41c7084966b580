// A solid-state disk: channels side by side, one bus to the host.
#pragma once

#include <deque>
#include <queue>

#include "tests/diskemu/device.h"

namespace fairfs::test {

struct FlashConfig {
  std::size_t channels = 16;
  Duration read_latency = std::chrono::microseconds{200};
  Duration write_latency = std::chrono::microseconds{60};
  std::uint64_t bytes_per_s = 300'000'000;  ///< reads and writes together
};

/// A request takes the first channel that falls free, in order of arrival, and holds it for its latency, or until the
/// bus has carried its bytes if that takes longer; the bus carries one request after another, from the moment each got
/// its channel. So n small requests at once are answered channels / latency times a second, and large ones at the bus's
/// rate. The work of a request is the larger of its shares of the two: latency / channels, bytes / rate.
class Flash final : public Device {
 public:
  explicit Flash(const FlashConfig& config) : config_{config} {}

  void submit(const IoRequest& request, Time now) override;
  [[nodiscard]] Time next_event() const override { return active_.empty() ? kNever : active_.top().finish; }
  [[nodiscard]] bool saturated() const override { return !waiting_.empty(); }
  void advance(Time now, Outcome& outcome) override;
  void set_slowness(double factor) override { slowness_ = factor; }

 private:
  struct Active {
    Time finish;
    std::uint64_t number = 0;  // requests that finish together are answered in the order they started
    IoRequest request;
    Duration work{};
    bool operator>(const Active& other) const {
      return finish != other.finish ? finish > other.finish : number > other.number;
    }
  };

  void start(const IoRequest& request, Time now);

  const FlashConfig config_;
  double slowness_ = 1;
  std::uint64_t started_ = 0;
  Time bus_free_{};
  std::priority_queue<Active, std::vector<Active>, std::greater<>> active_;
  std::deque<IoRequest> waiting_;  // for a channel
};

}  // namespace fairfs::test
