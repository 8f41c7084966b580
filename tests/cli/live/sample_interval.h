// An interval made by hand: two cgroups, a named flow, the kernel.
#pragma once

#include <string>
#include <vector>

#include "cli/interval_view.h"
#include "cli/live/columns.h"
#include "cli/live/state.h"

namespace fairfs::test {

inline cli::FlowView flow_view(std::uint64_t key, const std::string& command, pid_t pid, std::int32_t group,
                               double got) {
  cli::FlowView flow;
  flow.key = key;
  flow.command = command;
  flow.name = pid == 0 ? command : command + "[" + std::to_string(pid) + "]";
  flow.pid = pid;
  flow.group = group;
  flow.uid = 1000;
  flow.weight = 100;
  flow.share_due = 0.25;
  flow.share_got = got;
  flow.reads_per_s = got * 100;
  return flow;
}

///   /db            weight 300     postgres[10] 40 %, checkpointer[11] 20 %
///   /db/backup     weight 50      tar[12] 10 %
///   /web           weight 100     nginx[13] 5 %
///   guests         named flow     25 %
///   (kernel)                      0 %
inline cli::IntervalView sample_interval() {
  using engine::GroupKind;
  cli::IntervalView interval;
  interval.about = {.version = "1",
                    .mountpoint = "/mnt/fair",
                    .source = "/srv/disk",
                    .instance = 1,
                    .scheduling = true,
                    .profile = "parallel disk",
                    .weights = ""};
  interval.state.disk = "sda";
  interval.state.elevator = "none";
  interval.interval_s = 1;
  interval.depth = 16;
  interval.in_flight = 16;
  interval.queued = 116;
  interval.device_use = 0.83;
  interval.weights_in_force = true;
  interval.reason = "3 flows backlogged";
  interval.groups = {
      {GroupKind::cgroup, "/db", 0, -1, 300, false},      {GroupKind::processes_here, "/db", 0, 0, 100, false},
      {GroupKind::cgroup, "/db/backup", 0, 0, 50, false}, {GroupKind::processes_here, "/db/backup", 0, 2, 100, false},
      {GroupKind::cgroup, "/web", 0, -1, 100, true},      {GroupKind::processes_here, "/web", 0, 4, 100, false}};
  interval.flows = {flow_view(1, "postgres", 10, 1, 0.4), flow_view(2, "checkpointer", 11, 1, 0.2),
                    flow_view(3, "tar", 12, 3, 0.1),      flow_view(4, "nginx", 13, 5, 0.05),
                    flow_view(5, "guests", 0, -1, 0.25),  flow_view(6, "(kernel)", 0, -1, 0)};
  interval.flows[0].cgroup = interval.flows[1].cgroup = "/db";
  interval.flows[2].cgroup = "/db/backup";
  interval.flows[3].cgroup = "/web";
  interval.flows[4].command.clear();  // a named flow is nobody's command
  interval.flows[4].weight = 70;
  interval.flows[2].uid = 0;
  interval.flows[0].wait_us_p99 = 700;
  interval.flows[1].wait_us_p99 = 900;
  interval.flows[2].dirty_bytes = 5000;
  interval.flows[3].demand_limited = true;
  return interval;
}

inline cli::LiveChoice sample_choice() {
  cli::LiveChoice choice;
  choice.sort_by = cli::column_place("GOT");
  choice.user_name = [](uid_t user) { return user == 0 ? "root" : "bob"; };
  return choice;
}

/// A view of one mount that has just had that interval.
inline cli::LiveState sample_state() {
  cli::LiveState state;
  state.mounts.resize(1);
  state.mounts[0].mountpoint = "/mnt/fair";
  state.mounts[0].interval = sample_interval();
  state.mounts[0].last = cli::StatReply{state.mounts[0].interval->about, {}, {engine::Snapshot{}}};
  state.choice = sample_choice();
  cli::arrange(state);
  return state;
}

inline std::vector<std::string> labels(const std::vector<cli::LiveRow>& rows) {
  std::vector<std::string> result;
  for (const cli::LiveRow& row : rows) result.push_back(std::string(row.depth, '>') + row.label);
  return result;
}

}  // namespace fairfs::test
