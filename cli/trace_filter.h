// Which requests somebody who traces wants to see.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <string_view>

#include "sched/engine/trace.h"

namespace fairfs::cli {

/// All that are given must hold.
struct TraceFilter {
  std::optional<std::string> flow;     ///< part of the flow's name
  std::optional<std::string> command;  ///< of the process
  std::optional<pid_t> pid;
  std::optional<std::uint64_t> inode;
  std::optional<sched::Operation> operation;
  std::optional<engine::TraceReason> why;
  sched::Duration longer{};  ///< waiting and disk together, at least

  [[nodiscard]] bool lets_through(const engine::TracedRequest& request) const;
};

/// "op=read": adds one condition. Throws Failure (exit status 2).
void add_condition(TraceFilter& filter, std::string_view word);

[[nodiscard]] std::string_view operation_word(sched::Operation operation);
[[nodiscard]] std::string_view reason_word(engine::TraceReason reason);

}  // namespace fairfs::cli
