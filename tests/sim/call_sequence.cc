#include "tests/sim/call_sequence.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <variant>
#include <vector>

#include "sched/check.h"
#include "sched/scheduler.h"

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::NodeId;
using sched::RequestId;

class Caller {
 public:
  explicit Caller(std::span<const std::uint8_t> bytes) : bytes_(bytes), depth_(1 + byte() % 8), scheduler_(config()) {
    const NodeId group = scheduler_.add_group(sched::kRoot, weight());
    groups_ = {sched::kRoot, group, scheduler_.add_group(group, weight())};
  }

  CallCounts run() {
    while (!bytes_.empty()) step();
    // Nobody waits for a ceiling of an hour.
    for (const auto& [flow, queue] : queues_) scheduler_.set_limits(flow, {}, now_);
    for (const NodeId group : groups_) {
      if (group != sched::kRoot) scheduler_.set_limits(group, {}, now_);
    }
    limits_ = false;
    while (scheduler_.queued() > 0 || !in_flight_.empty()) {
      next();
      if (!in_flight_.empty()) complete();
      now_ += 1ms;  // whoever is waited for will not come
    }
    for (const auto& [flow, queue] : queues_) scheduler_.remove(flow);
    for (std::size_t group = groups_.size() - 1; group > 0; --group) scheduler_.remove(groups_[group]);
    return counts_;
  }

 private:
  struct Held {
    RequestId id{};
    std::uint64_t cookie = 0;
    sched::Time submitted{};
  };
  struct Running {
    RequestId id{};
    NodeId flow{};
  };

  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t first = bytes_.front();
    bytes_ = bytes_.subspan(1);
    return first;
  }
  sched::Weight weight() { return static_cast<sched::Weight>(1 + (byte() * 256U + byte()) % sched::kWeightMax); }
  sched::SchedulerConfig config() {
    sched::SchedulerConfig config;
    fair_ = byte() % 8 != 0;
    config.policy = fair_ ? sched::Policy::fair : sched::Policy::off;
    config.profile.depth = depth_;
    turns_ = fair_ && byte() % 2 == 0;
    config.profile.idle = turns_;
    config.profile.best_streams = 1 + byte() % 2;
    config.profile.switch_cost = std::chrono::microseconds{1U << byte() % 12};
    config.max_wait = 10ms;
    return config;
  }
  sched::Limits limits() {
    const auto rate = [this]() -> std::uint64_t { return byte() % 2 == 0 ? 0 : std::uint64_t{1} << byte() % 32; };
    return {.min_read = rate(),
            .min_write = rate(),
            .max_read = rate(),
            .max_write = rate(),
            .min_iops = rate(),
            .max_iops = rate(),
            .latency = std::chrono::microseconds{byte() % 2 * rate()}};
  }
  /// Any flow, or the end when there is none.
  auto some_flow() {
    auto flow = queues_.begin();
    if (!queues_.empty()) std::advance(flow, byte() % queues_.size());
    return flow;
  }

  void step() {
    switch (byte() % 10) {
      case 0:
        return add();
      case 1:
      case 2:
        return submit();
      case 3:
      case 4:
        return next();
      case 5:
        return complete();
      case 6:
        return cancel();
      case 7:
        return settle();
      case 8:
        return remove();
      default:
        now_ += std::chrono::microseconds{1U << byte() % 16};
    }
  }

  void add() {
    if (queues_.size() < 64) queues_[scheduler_.add_flow(groups_[byte() % groups_.size()], weight())];
  }

  void submit() {
    const auto flow = some_flow();
    if (flow == queues_.end()) return add();
    sched::Request request;
    request.flow = flow->first;
    request.operation = static_cast<sched::Operation>(byte() % 3);
    request.inode = byte() % 8;
    request.offset = byte() * 4096U;
    const unsigned size = byte();
    request.bytes = std::uint64_t{1} << (size < 250 ? size % 20 : 63);  // now and then an absurd one
    request.bounded_wait = byte() % 2 == 0;
    request.cookie = cookie_++;
    flow->second.push_back({scheduler_.submit(request, now_), request.cookie, now_});
    ++queued_;
    check_counts();
  }

  void next() {
    const sched::Decision decision = scheduler_.next(now_);
    const bool full = fair_ && in_flight_.size() >= depth_;
    const auto* dispatch = std::get_if<sched::Dispatch>(&decision);
    if (dispatch == nullptr) {
      const auto& sleep = std::get<sched::Sleep>(decision);
      FAIRFS_CHECK(queued_ == 0 || full || turns_ || classes_ || limits_);
      const bool waits = sleep.reason == sched::Sleep::Reason::anticipating;
      FAIRFS_CHECK(waits == (queued_ > 0 && !full) || limits_);
      FAIRFS_CHECK(sleep.reason != sched::Sleep::Reason::limited || limits_);
      FAIRFS_CHECK(sleep.until > now_);
      if (sleep.until != sched::kNever) now_ = std::max(now_, sleep.until - 1us);
      return;
    }
    FAIRFS_CHECK(queued_ > 0 && !full);
    for (auto& [flow, queue] : queues_) {
      const auto found =
          std::find_if(queue.begin(), queue.end(), [&](const Held& held) { return held.cookie == dispatch->cookie; });
      if (found == queue.end()) continue;
      FAIRFS_CHECK(found->id == dispatch->id && dispatch->waited == now_ - found->submitted);
      FAIRFS_CHECK(found == queue.begin() || dispatch->promoted || reorders_);
      // A flush that has overtaken its flow's write-behind may be young; what it overtook is not.
      FAIRFS_CHECK(!dispatch->promoted || now_ - queue.front().submitted > 10ms);
      in_flight_.push_back({dispatch->id, flow});
      queue.erase(found);
      --queued_;
      ++counts_.dispatched;
      counts_.promoted += dispatch->promoted ? 1 : 0;
      return check_counts();
    }
    FAIRFS_CHECK(!"dispatched a request that was not queued");
  }

  void complete() {
    if (in_flight_.empty()) return;
    scheduler_.complete(in_flight_.front().id, now_);
    in_flight_.pop_front();
    check_counts();
  }

  void cancel() {
    if (!in_flight_.empty() && byte() % 4 == 0) {
      FAIRFS_CHECK(!scheduler_.cancel(in_flight_.front().id, now_));
      return;
    }
    const auto flow = some_flow();
    if (flow == queues_.end() || flow->second.empty()) return;
    const auto held = flow->second.begin() + byte() % static_cast<std::ptrdiff_t>(flow->second.size());
    FAIRFS_CHECK(scheduler_.cancel(held->id, now_));
    flow->second.erase(held);
    --queued_;
    ++counts_.cancelled;
    check_counts();
  }

  void settle() {
    const auto flow = some_flow();
    if (flow == queues_.end()) return;
    switch (byte() % 8) {
      case 7: {
        const sched::Duration owed =
            scheduler_.charge_metadata(flow->first, std::chrono::microseconds{1U << byte() % 24}, now_);
        const sched::Duration delay = scheduler_.metadata_delay(flow->first, now_);
        FAIRFS_CHECK(owed >= 0s && owed <= 1s && delay >= 0s && delay <= 50ms);
        return;
      }
      case 5:
        limits_ = reorders_ = true;
        return scheduler_.set_limits(flow->first, limits(), now_);
      case 6:
        limits_ = reorders_ = true;
        return scheduler_.set_limits(groups_[1 + byte() % 2], limits(), now_);
      case 0:
        return scheduler_.set_weight(flow->first, weight());
      case 1:
        return scheduler_.set_weight(groups_[1 + byte() % 2], weight());
      case 2:
        return scheduler_.charge(flow->first, std::chrono::microseconds{1U << byte() % 24}, now_);
      case 3:
        classes_ = fair_;
        return scheduler_.set_class(flow->first, static_cast<sched::ServiceClass>(byte() % 3));
      default:
        return scheduler_.set_depth(depth_ = 1 + byte() % 8);
    }
  }

  void remove() {
    const auto flow = some_flow();
    if (flow == queues_.end() || scheduler_.service(flow->first).queued > 0) return;
    if (scheduler_.service(flow->first).in_flight > 0) return;
    scheduler_.remove(flow->first);
    queues_.erase(flow);
    ++counts_.removed;
  }

  void check_counts() const {
    FAIRFS_CHECK(scheduler_.queued() == queued_ && scheduler_.in_flight() == in_flight_.size());
    for (const auto& [flow, queue] : queues_) {
      const auto running = std::count_if(in_flight_.begin(), in_flight_.end(),
                                         [&, id = flow](const Running& one) { return one.flow == id; });
      const sched::FlowService service = scheduler_.service(flow);
      FAIRFS_CHECK(service.queued == queue.size());
      FAIRFS_CHECK(service.in_flight == static_cast<std::uint32_t>(running));
    }
  }

  std::span<const std::uint8_t> bytes_;
  std::uint32_t depth_;
  bool fair_ = true, turns_ = false;
  bool limits_ = false;    // nor need it be woken by a slot
  bool reorders_ = false;  // a ceiling on one kind lets the other kind overtake it in the queue
  bool classes_ = false;   // a lower one may have to wait although there are slots
  sched::Scheduler scheduler_;
  sched::Time now_{};
  std::vector<NodeId> groups_;
  std::map<NodeId, std::deque<Held>> queues_;
  std::deque<Running> in_flight_;
  std::uint64_t cookie_ = 0;
  std::size_t queued_ = 0;
  CallCounts counts_;
};

}  // namespace

CallCounts run_call_sequence(std::span<const std::uint8_t> bytes) { return Caller(bytes).run(); }

}  // namespace fairfs::test
