#include "sched/dirty_extents.h"

#include <algorithm>
#include <bit>

namespace fairfs::sched {
namespace {

/// Bits [first, last] of 64.
constexpr std::uint64_t mask(std::uint64_t first, std::uint64_t last) {
  return ~std::uint64_t{0} >> (63 - last) & ~std::uint64_t{0} << first;
}

}  // namespace

std::uint64_t DirtyExtents::add(std::uint64_t offset, std::uint64_t length) {
  length = std::min(length, ~offset);
  if (length == 0) return 0;
  const std::uint64_t last = (offset + length - 1) / kPageBytes;
  if (offset / kPageBytes == last) return add_page(last);  // most writes
  std::uint64_t added = 0;
  for (std::uint64_t page = offset / kPageBytes; page <= last;) {
    Bits& bits = stretches_[page / kPages];
    const std::uint64_t end = std::min(last, page | (kPages - 1));  // the last one in this stretch
    while (page <= end) {
      std::uint64_t& word = bits[page % kPages / kWordPages];
      const std::uint64_t word_end = std::min(end, page | (kWordPages - 1));
      const std::uint64_t fresh = mask(page % kWordPages, word_end % kWordPages) & ~word;
      word |= fresh;
      added += static_cast<std::uint64_t>(std::popcount(fresh));
      page = word_end + 1;
    }
  }
  pages_ += added;
  return added * kPageBytes;
}

std::uint64_t DirtyExtents::add_page(std::uint64_t page) {
  std::uint64_t& word = stretches_[page / kPages][page % kPages / kWordPages];
  const std::uint64_t bit = std::uint64_t{1} << page % kWordPages;
  if ((word & bit) != 0) return 0;
  word |= bit;
  ++pages_;
  return kPageBytes;
}

std::uint64_t DirtyExtents::cut(std::uint64_t offset) {
  const std::uint64_t first = offset / kPageBytes + (offset % kPageBytes != 0 ? 1 : 0);
  std::uint64_t gone = 0;
  for (auto stretch = stretches_.lower_bound(first / kPages); stretch != stretches_.end();) {
    std::uint64_t left = 0;
    for (std::uint64_t i = 0; i < stretch->second.size(); ++i) {
      const std::uint64_t page = stretch->first * kPages + i * kWordPages;  // of the word's first bit
      std::uint64_t& word = stretch->second[i];
      const std::uint64_t kept = first <= page                ? 0
                                 : first >= page + kWordPages ? word
                                                              : word & mask(0, first - page - 1);
      gone += static_cast<std::uint64_t>(std::popcount(word ^ kept));
      left |= word = kept;
    }
    stretch = left == 0 ? stretches_.erase(stretch) : std::next(stretch);
  }
  pages_ -= gone;
  return gone * kPageBytes;
}

DirtyExtents::Span DirtyExtents::take(std::uint64_t from, std::uint64_t stretch, std::uint64_t most) {
  if (pages_ == 0) return {};
  // The first dirty page from `at` on, all of the stretch's pages if there is none.
  const auto find = [](const Bits& bits, std::uint64_t at) {
    for (std::uint64_t i = at / kWordPages; i < bits.size(); ++i) {
      const std::uint64_t word = bits[i] & (i == at / kWordPages ? mask(at % kWordPages, 63) : ~std::uint64_t{0});
      if (word != 0) return i * kWordPages + static_cast<std::uint64_t>(std::countr_zero(word));
    }
    return kPages;
  };
  const std::uint64_t wanted = from / kPageBytes + (from % kPageBytes != 0 ? 1 : 0);
  auto found = stretches_.lower_bound(wanted / kPages);
  std::uint64_t page = kPages;
  if (found != stretches_.end()) page = find(found->second, found->first == wanted / kPages ? wanted % kPages : 0);
  if (page == kPages && found != stretches_.end() && ++found != stretches_.end()) page = find(found->second, 0);
  if (page == kPages) page = find((found = stretches_.begin())->second, 0);

  Span span{.offset = (found->first * kPages + page) * kPageBytes, .length = 0, .bytes = 0};
  const std::uint64_t end = (page | (stretch / kPageBytes - 1)) + 1;
  for (; page < end && span.bytes + kPageBytes <= most; page = find(found->second, page + 1)) {
    found->second[page / kWordPages] &= ~mask(page % kWordPages, page % kWordPages);
    span.bytes += kPageBytes;
    span.length = (found->first * kPages + page + 1) * kPageBytes - span.offset;
  }
  pages_ -= span.bytes / kPageBytes;
  if (std::ranges::all_of(found->second, [](std::uint64_t word) { return word == 0; })) stretches_.erase(found);
  return span;
}

bool DirtyExtents::starts_at(std::uint64_t offset) const {
  const std::uint64_t page = offset / kPageBytes;
  const auto stretch = stretches_.find(page / kPages);
  if (stretch == stretches_.end()) return false;
  return (stretch->second[page % kPages / kWordPages] >> (page % kWordPages) & 1) != 0;
}

}  // namespace fairfs::sched
