#include "sched/cooperators.h"

#include <algorithm>

namespace fairfs::sched {

bool is_partner(const Slice& slice, std::uint32_t node) {
  const auto* const end = slice.partners.begin() + slice.partner_count;
  return std::find(slice.partners.begin(), end, node) != end;
}

void add_partner(Slice& slice, std::uint32_t node) {
  if (slice.partner_count == Slice::kPartnersMax || node == slice.owner || is_partner(slice, node)) return;
  slice.partners[slice.partner_count++] = node;
  slice.shared = true;
}

void remove_partner(Slice& slice, std::uint32_t node) {
  auto* const end = slice.partners.begin() + slice.partner_count;
  auto* const found = std::find(slice.partners.begin(), end, node);
  if (found == end) return;
  *found = *(end - 1);
  --slice.partner_count;
}

}  // namespace fairfs::sched
