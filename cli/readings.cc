#include "cli/readings.h"

#include <thread>
#include <utility>

namespace fairfs::cli {
namespace {

/// A daemon makes its first full second within two; asking ten times a second costs it nothing.
constexpr std::chrono::milliseconds kFirstSecondRetry{100};
constexpr std::chrono::seconds kFirstSecondPatience{10};

}  // namespace

DaemonReadings::DaemonReadings(StatTarget target, double interval_s, Recorder* record)
    : target_{std::move(target)},
      interval_{std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>{interval_s})},
      record_{record},
      due_{Clock::now()} {}

std::optional<StatReply> DaemonReadings::next() {
  std::this_thread::sleep_until(due_);
  due_ += interval_;
  std::string line;
  StatReply reply = ask(target_, to_line(StatRequest::snapshot), [&line](const std::string& answer) {
    line = answer;
    return parse_reply(answer);
  });
  if (reply.readings.empty()) throw failed("stat", target_.mountpoint, "its daemon gave no reading", "restart it");
  if (record_ != nullptr) record_->add(line);
  return reply;
}

StatReply last_full_second(const StatTarget& target) {
  const auto give_up = std::chrono::steady_clock::now() + kFirstSecondPatience;
  for (;;) {
    StatReply reply = ask(target, StatRequest::second);
    if (reply.readings.size() == 2 && reply.readings[0].taken < reply.readings[1].taken) return reply;
    if (std::chrono::steady_clock::now() > give_up) {
      throw failed("stat", target.mountpoint, "its daemon's clock stands still", "restart it");
    }
    std::this_thread::sleep_for(kFirstSecondRetry);
  }
}

}  // namespace fairfs::cli
