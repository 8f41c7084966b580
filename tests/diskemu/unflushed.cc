#include "tests/diskemu/unflushed.h"

#include <cstring>
#include <iterator>

namespace fairfs::test {

void Unflushed::changing(const Contents& contents, std::uint64_t offset, std::uint64_t bytes) {
  if (!remembering_ || bytes == 0) return;
  ++sequence_;
  for (std::uint64_t page = offset / kPage; page <= (offset + bytes - 1) / kPage; ++page) {
    std::vector<Version>& versions = pages_[page];
    if (!versions.empty() && versions.back().sequence > last_flush_) continue;  // no flush will ask for this state
    versions.emplace_back().sequence = sequence_;
    std::memcpy(versions.back().before.data(), contents.at(page * kPage), kPage);
  }
}

void Unflushed::flushed(std::uint64_t mark) {
  for (auto page = pages_.begin(); page != pages_.end();) {
    std::erase_if(page->second, [mark](const Version& version) { return version.sequence < mark; });
    page = page->second.empty() ? pages_.erase(page) : std::next(page);
  }
}

void Unflushed::drop(Contents& contents) {
  for (const auto& [page, versions] : pages_) contents.write(versions.front().before.data(), kPage, page * kPage);
  pages_.clear();
}

}  // namespace fairfs::test
