// Watching requests one by one.
#include <algorithm>
#include <utility>

#include "sched/engine/engine_state.h"
#include "sched/engine/trace.h"

namespace fairfs::engine {

std::vector<TraceBuffer::Entry> TraceBuffer::take(std::size_t most) {
  const auto end = entries_.begin() + static_cast<std::ptrdiff_t>(std::min(most, entries_.size()));
  std::vector<Entry> taken{std::make_move_iterator(entries_.begin()), std::make_move_iterator(end)};
  entries_.erase(entries_.begin(), end);
  return taken;
}

std::shared_ptr<TraceBuffer> Engine::trace() {
  auto buffer = std::make_shared<TraceBuffer>();
  const std::lock_guard lock{state_->mutex};
  state_->traces.push_back(buffer);
  return buffer;
}

std::vector<TracedRequest> Engine::traced(TraceBuffer& buffer, std::size_t most, std::uint64_t& lost) const {
  std::vector<TracedRequest> result;
  const std::lock_guard lock{state_->mutex};
  lost = buffer.lost();
  for (TraceBuffer::Entry& entry : buffer.take(most)) {
    TracedRequest& request = result.emplace_back(std::move(entry.request));
    request.flow = entry.flow->name;
    if (entry.flow->shared) continue;
    request.command = entry.flow->process.command;
    request.pid = entry.flow->process.pid;
  }
  return result;
}

void Engine::State::trace(const Pending& pending, sched::Time now) {
  const Job& job = *pending.job;
  for (const auto& trace : traces) {
    const std::shared_ptr<TraceBuffer> buffer = trace.lock();
    if (!buffer) continue;
    TracedRequest request;
    request.ended = now;
    request.operation = job.operation;
    request.buffered = job.buffered;
    request.inode = job.number;
    request.offset = job.offset;
    request.bytes = job.bytes;
    request.waited = pending.dispatched - pending.submitted;
    request.service = now - pending.dispatched;
    request.result = pending.result;
    request.reason = pending.reason;
    buffer->add({pending.flow, std::move(request)});
  }
  std::erase_if(traces, [](const auto& trace) { return trace.expired(); });
}

}  // namespace fairfs::engine
