#include "tests/diskemu/accounts.h"

#include <algorithm>
#include <sstream>

namespace fairfs::test {
namespace {

constexpr std::uint64_t kSector = 512;  // bytes, the unit of the kernel's own counters

void add(Accounts::Sums& sums, const IoRequest& request, std::uint64_t bytes) {
  switch (request.kind) {
    case IoKind::read:
      ++sums.reads;
      sums.read_bytes += bytes;
      return;
    case IoKind::write:
      ++sums.writes;
      sums.write_bytes += bytes;
      return;
    case IoKind::flush:
      ++sums.flushes;
      return;
  }
}

std::uint64_t overlap(std::uint64_t start, std::uint64_t end, std::uint64_t offset, std::uint64_t bytes) {
  const std::uint64_t first = std::max(start, offset), last = std::min(end, offset + bytes);
  return first < last ? last - first : 0;
}

void print(std::ostream& out, const std::string& name, const Accounts::Sums& sums) {
  out << name << ' ' << sums.reads << ' ' << sums.read_bytes << ' ' << sums.writes << ' ' << sums.write_bytes << ' '
      << sums.flushes << ' ' << (sums.read_bytes + sums.write_bytes) / kSector << ' ' << sums.device_time.count()
      << '\n';
}

}  // namespace

void Accounts::add_range(const std::string& name, std::uint64_t start, std::uint64_t end) {
  ranges_.push_back({start, end, &sums_[name]});
}

void Accounts::reset() {
  total_ = {};
  for (auto& [name, sums] : sums_) sums = {};
}

void Accounts::count(const IoRequest& request) {
  add(total_, request, request.bytes);
  for (const Range& range : ranges_) {
    const std::uint64_t bytes = overlap(range.start, range.end, request.offset, request.bytes);
    if (bytes > 0) add(*range.sums, request, bytes);
  }
}

void Accounts::charge(const Work& work) {
  total_.device_time += work.busy;
  for (const Range& range : ranges_) {
    const std::uint64_t bytes = overlap(range.start, range.end, work.offset, work.bytes);
    if (bytes == 0) continue;
    range.sums->device_time += slowed(work.busy, static_cast<double>(bytes) / static_cast<double>(work.bytes));
  }
}

std::string Accounts::text() const {
  std::ostringstream out;
  out << "name reads read_bytes writes write_bytes flushes sectors device_ns\n";
  print(out, "total", total_);
  for (const auto& [name, sums] : sums_) print(out, name, sums);
  return out.str();
}

}  // namespace fairfs::test
