#include "tests/sim/simulation.h"

#include <algorithm>
#include <variant>

namespace fairfs::test {
namespace {

std::uint32_t index_of(sched::NodeId node) { return static_cast<std::uint32_t>(node); }
/// A random request lies somewhere in a file of this many bytes, far more than a flow reads by accident in order.
constexpr std::uint64_t kFileBytes = std::uint64_t{1} << 40;
/// Inodes from here on are files that programs share; below they are a program's own.
constexpr std::uint64_t kSharedFiles = std::uint64_t{1} << 32;

/// A look-up that memory answers, through FUSE.
constexpr sched::Duration kRemembered = std::chrono::microseconds{20};

sched::SchedulerConfig with_true_costs(sched::SchedulerConfig config, const DeviceModel& device) {
  if (device.seek == sched::Duration::zero() && !device.whole_costs) config.features.cost_correction = false;
  return config;
}

}  // namespace

Simulation::Simulation(const sched::SchedulerConfig& config, const DeviceModel& device, Seed seed)
    : Simulation(with_true_costs(config, device), std::make_unique<SimpleDevice>(device, seed), seed) {}

Simulation::Simulation(const sched::SchedulerConfig& config, std::unique_ptr<DiskModel> disk, Seed seed)
    : config_(config), scheduler_(config), model_(config.profile), disk_(std::move(disk)), random_(seed), nodes_(1) {}

Simulation::NodeBooks& Simulation::add(sched::NodeId node, sched::NodeId parent, sched::Weight weight) {
  nodes_.resize(std::max<std::size_t>(nodes_.size(), index_of(node) + 1));
  nodes_[index_of(parent)].children.push_back(node);
  NodeBooks& books = nodes_[index_of(node)];
  books.parent = parent;
  books.weight = weight;
  return books;
}

sched::NodeId Simulation::add_group(sched::NodeId parent, sched::Weight weight) {
  const sched::NodeId node = scheduler_.add_group(parent, weight);
  add(node, parent, weight);
  return node;
}

sched::NodeId Simulation::add_flow(sched::NodeId parent, sched::Weight weight, const Workload& workload) {
  const sched::NodeId node = scheduler_.add_flow(parent, weight);
  add(node, parent, weight);
  scheduler_.set_class(node, workload.service);
  Program& program = programs_.emplace_back(Program{node, workload, {}, {}});
  program.offsets.resize(workload.files);
  for (std::uint32_t file = 0; file < workload.files; ++file) {
    program.inodes.push_back(workload.shared_file != 0 ? kSharedFiles + workload.shared_file : inodes_++);
  }
  for (std::uint32_t i = 0; i < workload.outstanding; ++i) {
    Event event;
    event.at = now_ + workload.start;
    event.program = static_cast<std::uint32_t>(programs_.size() - 1);
    schedule(event);
  }
  return node;
}

void Simulation::set_weight(sched::NodeId node, sched::Weight weight) {
  scheduler_.set_weight(node, weight);
  nodes_[index_of(node)].weight = weight;
  for (Oracle* oracle : oracles_) oracle->reweighted(*this, node);
}

void Simulation::schedule(Event event) {
  event.order = order_++;
  events_.push(event);
}

// All that happens at one moment is told before anything is decided, as the daemon drains its receive side.
void Simulation::run_for(sched::Duration time) {
  const sched::Time end = now_ + time;
  for (;;) {
    const sched::Time next = std::min(disk_->next_event(), events_.empty() ? sched::kNever : events_.top().at);
    if (next > end) break;
    now_ = next;
    ended_.clear();
    disk_->advance(now_, ended_);
    for (const std::uint64_t cookie : ended_) complete(cookie);
    while (!events_.empty() && events_.top().at == now_) {
      const Event event = events_.top();
      events_.pop();
      if (event.kind == Event::Kind::submit) submit(event.program);
    }
    pump();
  }
  now_ = end;
}

std::uint64_t Simulation::place(const Workload& workload, std::uint64_t offset) {
  const std::uint64_t zone = offset / workload.zone_bytes * workload.zones + workload.zone;
  return zone * workload.zone_bytes + offset % workload.zone_bytes;
}

void Simulation::submit_after(std::uint32_t program, sched::Duration time) {
  Event event;
  event.at = now_ + time;
  event.program = program;
  schedule(event);
}

void Simulation::look_up(std::uint32_t index) {
  Program& program = programs_[index];
  const sched::Duration delay = program.delayed ? sched::Duration{} : scheduler_.metadata_delay(program.node, now_);
  program.delayed = delay > sched::Duration::zero();
  if (program.delayed) return submit_after(index, delay);
  if (program.remembered > 0) {
    --program.remembered;
    return submit_after(index, kRemembered);
  }
  program.remembered = program.workload.remembered;
  const std::uint64_t cookie = asked_.size(), bytes = program.workload.bytes_min;
  asked_.push_back(
      {index, {sched::Operation::read, program.inodes[0], random_.between(0, kFileBytes), bytes, {}}, {}, now_});
  disk_->start(cookie, asked_.back().access, now_);
}

void Simulation::submit(std::uint32_t index) {
  Program& program = programs_[index];
  const Workload& workload = program.workload;
  if (workload.metadata) return look_up(index);
  if (workload.ends_after != 0 && program.asked >= workload.ends_after) return;
  const std::uint64_t bytes = random_.between(workload.bytes_min, workload.bytes_max);
  program.asked += bytes;
  const std::uint32_t file = program.next_file;
  program.next_file = (file + 1) % workload.files;
  if (workload.jump_percent != 0 && random_.chance(workload.jump_percent)) {
    program.offsets[file] = random_.between(0, kFileBytes);
  }
  const std::uint64_t position = workload.sequential ? program.offsets[file] : random_.between(0, kFileBytes);
  const bool continues = workload.sequential && position != 0;
  program.offsets[file] = position + bytes;
  const std::uint64_t offset = workload.sequential ? place(workload, position) : position;
  const std::uint64_t inode = program.inodes[file];
  const std::uint64_t cookie = asked_.size();
  const auto cost = static_cast<sched::Duration::rep>(model_.cost(workload.operation, bytes, continues));
  asked_.push_back({index, {workload.operation, inode, offset, bytes, sched::Duration{cost}}, {}, now_});
  scheduler_.submit({.flow = program.node,
                     .operation = workload.operation,
                     .inode = inode,
                     .offset = offset,
                     .bytes = bytes,
                     .bounded_wait = workload.bounded_wait,
                     .buffered = workload.buffered,
                     .cookie = cookie},
                    now_);
  for (std::uint32_t node = index_of(program.node); node != 0; node = index_of(nodes_[node].parent)) {
    ++nodes_[node].queued;
    nodes_[node].cost_max = std::max(nodes_[node].cost_max, sched::Duration{cost});
  }
  for (Oracle* oracle : oracles_) oracle->submitted(*this, program.node, cookie);
}

void Simulation::started(const sched::Dispatch& dispatch) {
  const std::uint32_t index = asked_[dispatch.cookie].program;
  const sched::NodeId flow = programs_[index].node;
  const sched::Duration charged = scheduler_.service(flow).device_time - received(flow);
  for (std::uint32_t node = index_of(flow); node != 0; node = index_of(nodes_[node].parent)) {
    NodeBooks& books = nodes_[node];
    --books.queued;
    ++books.dispatched;
    books.received += charged;
    books.waited_max = std::max(books.waited_max, dispatch.waited);
  }
  Asked& asked = asked_[dispatch.cookie];
  asked.request = dispatch.id;
  disk_->start(dispatch.cookie, asked.access, now_);
  for (Oracle* oracle : oracles_) oracle->dispatched(*this, flow, dispatch, charged);
}

void Simulation::pump() {
  for (;;) {
    const sched::Decision decision = scheduler_.next(now_);
    if (const auto* sleep = std::get_if<sched::Sleep>(&decision)) {
      for (Oracle* oracle : oracles_) oracle->slept(*this, *sleep);
      if (sleep->until == sched::kNever) return;
      Event wake;
      wake.kind = Event::Kind::wake;
      wake.at = sleep->until;
      return schedule(wake);
    }
    started(std::get<sched::Dispatch>(decision));
  }
}

sched::Time Simulation::next_submit(const Workload& workload) const {
  const sched::Time at = now_ + workload.think;
  if (workload.busy == sched::Duration::zero()) return at;
  const sched::Duration period = workload.busy + workload.pause;
  const sched::Duration phase = (at - sched::Time{} - workload.start) % period;
  return phase < workload.busy ? at : at + (period - phase);
}

sched::Duration Simulation::worked(sched::NodeId flow) const {
  sched::Duration time{};
  for (const Program& program : programs_) {
    if (program.node != flow) continue;
    for (const std::uint64_t inode : program.inodes) time += disk_->worked(inode);
  }
  return time;
}

void Simulation::complete(std::uint64_t cookie) {
  const std::uint32_t index = asked_[cookie].program;
  const Program& program = programs_[index];
  if (program.workload.metadata) {
    scheduler_.charge_metadata(program.node, now_ - asked_[cookie].since, now_);
  } else {
    scheduler_.complete(asked_[cookie].request, now_);
  }
  ++nodes_[index_of(program.node)].completed;
  for (std::uint32_t node = index_of(program.node); node != 0; node = index_of(nodes_[node].parent)) {
    nodes_[node].bytes += asked_[cookie].access.bytes;
  }
  for (Oracle* oracle : oracles_) oracle->completed(*this, program.node, cookie);
  Event again;
  again.at = next_submit(program.workload);
  again.program = index;
  if (again.at == now_) {
    submit(index);
  } else {
    schedule(again);
  }
}

std::vector<std::string> failures(const Simulation& simulation, const std::vector<const Oracle*>& oracles) {
  std::vector<std::string> all;
  for (const Oracle* oracle : oracles) {
    for (std::string& failure : oracle->failures(simulation)) all.push_back(std::move(failure));
  }
  return all;
}

}  // namespace fairfs::test
