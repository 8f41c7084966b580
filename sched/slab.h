// A table of equal records with reusable indices: grows to the high-water mark, then never allocates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace fairfs::sched {

/// The most recently released index is reused first: its cache lines are warm. Growth moves the records, so references
/// do not outlive the next `add`.
template <typename Record>
class Slab {
 public:
  std::uint32_t add(const Record& record) {
    if (free_.empty()) {
      records_.push_back(record);
      free_.reserve(records_.capacity());  // so that release never allocates
      return static_cast<std::uint32_t>(records_.size() - 1);
    }
    const std::uint32_t index = free_.back();
    free_.pop_back();
    records_[index] = record;
    return index;
  }
  void release(std::uint32_t index) {
    records_[index] = Record{};
    free_.push_back(index);
  }
  [[nodiscard]] Record& operator[](std::uint32_t index) { return records_[index]; }
  [[nodiscard]] const Record& operator[](std::uint32_t index) const { return records_[index]; }
  /// Released ones count: an index below it may be looked at.
  [[nodiscard]] std::size_t size() const { return records_.size(); }

 private:
  std::vector<Record> records_;
  std::vector<std::uint32_t> free_;
};

}  // namespace fairfs::sched
