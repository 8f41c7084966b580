#include "sched/dirty_extents.h"

#include <algorithm>
#include <iterator>

namespace fairfs::sched {

std::uint64_t DirtyExtents::add(std::uint64_t offset, std::uint64_t length) {
  const std::uint64_t end = offset + std::min(length, ~offset);
  if (end == offset) return 0;
  if (!extents_.empty()) {
    auto& [last_start, last_end] = *extents_.rbegin();
    if (last_start <= offset && offset <= last_end) {
      const std::uint64_t added = end > last_end ? end - last_end : 0;
      last_end += added;
      bytes_ += added;
      return added;
    }
  }
  auto next = extents_.upper_bound(offset);
  if (next != extents_.begin() && std::prev(next)->second >= offset) --next;
  std::uint64_t start = offset, stop = end, known = 0;
  while (next != extents_.end() && next->first <= end) {
    start = std::min(start, next->first);
    stop = std::max(stop, next->second);
    known += next->second - next->first;
    next = extents_.erase(next);
  }
  extents_.emplace_hint(next, start, stop);
  const std::uint64_t added = stop - start - known;
  bytes_ += added;
  return added;
}

std::uint64_t DirtyExtents::cut(std::uint64_t offset) {
  std::uint64_t gone = 0;
  auto first = extents_.lower_bound(offset);
  if (first != extents_.begin()) {
    auto& end = std::prev(first)->second;
    if (end > offset) {
      gone += end - offset;
      end = offset;
    }
  }
  for (auto extent = first; extent != extents_.end(); ++extent) gone += extent->second - extent->first;
  extents_.erase(first, extents_.end());
  bytes_ -= gone;
  return gone;
}

DirtyExtents::Span DirtyExtents::take(std::uint64_t from, std::uint64_t stretch, std::uint64_t most) {
  if (extents_.empty()) return {};
  auto first = extents_.lower_bound(from);
  if (first == extents_.end()) first = extents_.begin();
  Span span{.offset = first->first, .length = 0, .bytes = 0};
  const std::uint64_t border = span.offset | (stretch - 1);  // the stretch's last byte
  while (first != extents_.end() && first->first <= border && span.bytes < most) {
    const auto [start, end] = *first;
    const std::uint64_t stop =
        std::min(border < end ? border + 1 : end, start + std::min(most - span.bytes, end - start));
    span.bytes += stop - start;
    span.length = stop - span.offset;
    first = extents_.erase(first);
    if (stop < end) extents_.emplace_hint(first, stop, end);
  }
  bytes_ -= span.bytes;
  return span;
}

}  // namespace fairfs::sched
