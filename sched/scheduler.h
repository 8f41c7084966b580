// The scheduler: who is next. Pure: no clock, thread, lock, file or log; time is an argument of every call.
#pragma once

#include <cstdint>
#include <memory>
#include <variant>

#include "sched/disk_profile.h"
#include "sched/limits.h"
#include "sched/types.h"

namespace fairfs::sched {

enum class Policy : std::uint8_t {
  fair,  ///< weighted shares over the profile's slots
  off    ///< first come, first served, no slots: the ruler that `fair` is measured against
};

/// Heuristics that can be switched off one by one, to see what each is good for.
struct Features {
  bool slices = true;           ///< where the profile says so, streams take turns
  bool anticipation = true;     ///< the disk is held for a flow that will go on soon
  bool cooperators = true;      ///< who continues another's stream shares its turn
  bool claims = true;           ///< a flow that returns at once keeps its tag
  bool class_floors = true;     ///< lower classes never stand still
  bool cost_correction = true;  ///< costs follow a disk that turns slower or faster
  bool guests = true;           ///< lower classes beside a higher one only as far as it isn't slower for it
  bool work_limit = true;       ///< few large requests at once where they keep the disk busy
  bool metadata_debt = true;    ///< look-ups are paid for
  bool head_time = true;        ///< random requests are charged what a single head took for them
  bool patience = true;         ///< nobody waits longer than his weight explains
  bool injection = true;        ///< others' requests fill the time for which the disk is held, if that costs little
  bool loans = true;            ///< who starts beside others is served at once, and pays later
};

struct SchedulerConfig {
  Policy policy = Policy::fair;
  DiskProfile profile;
  Features features;
  /// Longest wait of a `bounded_wait` request, or two rounds of the schedule if that is longer. 1 s: the kernel's page
  /// and inode locks held by a waiting request stop callers that the daemon can't see.
  Duration max_wait = std::chrono::seconds{1};
};

/// One request, as the scheduler sees it.
struct Request {
  NodeId flow{};  ///< a leaf made by add_flow
  Operation operation{};
  std::uint64_t inode = 0;   ///< any key; equal keys are the same file
  std::uint64_t offset = 0;  ///< bytes
  std::uint64_t bytes = 0;
  /// The deadline `max_wait` applies: buffered requests and writes. Deep direct reads only wait for their share.
  bool bounded_wait = false;
  /// Writes pages of the kernel's cache to the disk (write-behind, or before a flush): see set_write_window.
  bool buffered = false;
  std::uint64_t cookie = 0;  ///< the caller's own, handed back in Dispatch
};

/// Start this request now. It occupies a slot until `complete`.
struct Dispatch {
  RequestId id{};
  std::uint64_t cookie = 0;
  Duration waited{};      ///< since submit
  bool promoted = false;  ///< its deadline, not its share, brought it forward
};

/// Nothing to start now.
struct Sleep {
  enum class Reason : std::uint8_t {
    empty,
    depth,
    limited,       ///< all that is queued waits for its ceilings
    anticipating,  ///< something is queued, but the disk is held for a flow that will go on soon
    writes         ///< the next one is a buffered write, and the disk has enough of them or a flush
  } reason{};
  Time until = kNever;  ///< ask again then, or after the next submit or complete, whichever is first
};
using Decision = std::variant<Dispatch, Sleep>;

/// What one flow was given. Cumulative since it was added.
struct FlowService {
  Duration device_time{};    ///< charged cost, model's units (device time of the whole disk)
  std::uint32_t queued = 0;  ///< now
  std::uint32_t in_flight = 0;
};

/// Not thread-safe: the engine holds one mutex round it. Misuse (unknown ids, a leaf with children, weights out of
/// range) asserts in every build. submit, next, complete and cancel cost O(levels * log siblings), allocate nothing in
/// the steady state. Only the calls that add something take memory: add_group, add_flow, set_limits and submit throw
/// std::bad_alloc and have changed nothing then; all others never throw. Deterministic: the same calls give the same
/// decisions; ties go by node id, then arrival.
///
/// Shares: among backlogged siblings, |s_i/w_i - s_j/w_j| <= (D+1)(c_i/w_i + c_j/w_j) for the device time s received,
/// weights w, largest request costs c and depth D (B-WF2Q+, Zhang/Bennett 1997; depth as in SFQ(D), Jin 2004). Where
/// flows take turns (DiskProfile::idle), a turn's length stands in the place of c. Classes come before shares.
class Scheduler {
 public:
  explicit Scheduler(const SchedulerConfig& config);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  /// The tree. kRoot exists. A parent must be a group.
  NodeId add_group(NodeId parent, Weight weight);
  NodeId add_flow(NodeId parent, Weight weight);
  /// The node has no children, nothing queued and nothing in flight.
  void remove(NodeId node);
  /// Takes effect from the node's next turn.
  void set_weight(NodeId node, Weight weight);
  /// From best_effort, which a new flow has. Queued requests change with it.
  void set_class(NodeId flow, ServiceClass service);

  /// Floors, ceilings and latency of a node, at first none.
  void set_limits(NodeId node, const Limits& limits, Time now);

  RequestId submit(const Request& request, Time now);
  /// What to do at `now`. Call until it answers Sleep.
  [[nodiscard]] Decision next(Time now);
  /// `id` was dispatched and has ended (with whatever result) at `now`; its slot is free.
  void complete(RequestId id, Time now);
  /// Takes a request back that was not dispatched; true. False when it is already in flight (complete it as usual).
  bool cancel(RequestId id, Time now);
  /// Charges device time that the flow caused outside the schedule; paid from its next turns.
  void charge(NodeId flow, Duration device_time, Time now);

  /// A look-up of the flow, done without asking here, kept a thread waiting for the disk for `blocked` until `now`.
  /// What the flow owes now; nothing while nobody else wants the disk.
  Duration charge_metadata(NodeId flow, Duration blocked, Time now);
  /// How long the flow's next look-up is to wait because of that: 0..kMetadataDelayMax. 0: it owes nothing.
  [[nodiscard]] Duration metadata_delay(NodeId flow, Time now);

  [[nodiscard]] FlowService service(NodeId flow) const;
  [[nodiscard]] std::uint32_t in_flight() const;
  [[nodiscard]] std::uint32_t queued() const;
  /// How many times as long the disk takes as its profile says, seen while it was busy: see cost_correction.h.
  [[nodiscard]] double slowness() const;
  void set_depth(std::uint32_t depth);
  /// Most bytes of `buffered` writes in the disk at once (one always may); unlimited at first. See write_gate.h.
  void set_write_window(std::uint64_t bytes);
  /// Best size of buffered writes just now, bytes: small ones while flushes come one after another.
  [[nodiscard]] std::uint64_t write_piece(Time now) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace fairfs::sched
