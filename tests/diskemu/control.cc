#include "tests/diskemu/control.h"

#include <algorithm>
#include <sstream>

namespace fairfs::test {
namespace {

constexpr double kSlownessMax = 1e6, kHangMax = 1e6;  // seconds; both keep times far from overflow

// One blank-separated value, and nothing usable if it is not there.
template <typename T>
std::optional<T> take(std::istream& in) {
  T value{};
  if (in >> value) return value;
  return std::nullopt;
}

bool at_end(std::istream& in) { return (in >> std::ws).eof(); }

}  // namespace

bool Control::execute(const std::string& line, Time now) {
  std::istringstream in{line};
  const std::string verb = take<std::string>(in).value_or("");
  if (verb == "range") {
    const auto name = take<std::string>(in);
    const auto start = take<std::uint64_t>(in), end = take<std::uint64_t>(in);
    if (!end || !at_end(in) || *start >= *end) return false;
    accounts_.add_range(*name, *start, *end);
  } else if (verb == "fail") {
    const auto start = take<std::uint64_t>(in), end = take<std::uint64_t>(in);
    if (!end || !at_end(in) || *start >= *end) return false;
    faults_.push_back({*start, *end});
  } else if (verb == "slow") {
    const auto factor = take<double>(in);
    if (!factor || !at_end(in) || *factor < 0 || *factor > kSlownessMax) return false;
    set_slowness(*factor);
  } else if (verb == "hang") {
    const auto seconds = take<double>(in);
    if (!seconds || !at_end(in) || *seconds < 0 || *seconds > kHangMax) return false;
    hang(std::chrono::duration_cast<Duration>(std::chrono::duration<double>(*seconds)), now);
  } else if (verb == "volatile" && at_end(in)) {
    remembers_ = true;
  } else if (verb == "cut" && at_end(in)) {
    cut_ = true;
  } else if (verb == "reset" && at_end(in)) {
    accounts_.reset();
  } else if (verb == "ok" && at_end(in)) {
    end_hang(now);
    faults_.clear();
    cut_ = false;
    set_slowness(1);
  } else {
    return false;
  }
  return true;
}

void Control::hang(Duration duration, Time now) {
  end_hang(now);
  hang_ = Hang{now, now + duration};
}

void Control::end_hang(Time now) {
  if (!hang_) return;
  lost_ += std::min(now, hang_->until) - hang_->from;
  hang_.reset();
}

void Control::set_slowness(double factor) {
  slowness_ = factor;
  device_.set_slowness(factor);
}

Time Control::disk_time(Time now) const {
  if (!hang_) return now - lost_;
  return hang_->from - lost_ + std::max(Duration{}, now - hang_->until);
}

Time Control::world_time(Time disk) const {
  if (disk == kNever) return kNever;
  if (!hang_ || disk + lost_ < hang_->from) return disk + lost_;
  return disk + lost_ + (hang_->until - hang_->from);
}

bool Control::fails(const IoRequest& request) const {
  return cut_ || std::any_of(faults_.begin(), faults_.end(), [&request](const Fault& fault) {
           return request.offset < fault.end && request.offset + request.bytes > fault.start;
         });
}

std::string Control::text() const {
  std::ostringstream out;
  out << "slow " << slowness_ << '\n';
  for (const Fault& fault : faults_) out << "fail " << fault.start << ' ' << fault.end << '\n';
  if (remembers_) out << "volatile\n";
  if (cut_) out << "cut\n";
  if (hang_) out << "hang " << std::chrono::duration<double>(hang_->until - hang_->from).count() << '\n';
  return out.str();
}

}  // namespace fairfs::test
