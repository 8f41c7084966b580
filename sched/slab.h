// Tables that grow ahead of need, so that what must not fail finds room.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fairfs::sched {

/// Room for `size` elements; grows by doubling. Throws std::bad_alloc, and nothing has changed then.
template <typename Element>
void make_room(std::vector<Element>& elements, std::size_t size) {
  if (size > elements.capacity()) elements.reserve(std::max(size, 2 * elements.capacity()));
}

/// Equal records with reusable indices: grows to the high-water mark, then never allocates. The most recently released
/// index is reused first: its cache lines are warm. Growth moves the records, so references do not outlive the next
/// `add` or `make_room`.
template <typename Record>
class Slab {
 public:
  /// The next `add` does not fail. Throws std::bad_alloc, and nothing has changed then.
  void make_room() {
    if (!free_.empty()) return;
    sched::make_room(free_, records_.size() + 1);  // so that release never allocates
    sched::make_room(records_, records_.size() + 1);
  }
  std::uint32_t add(const Record& record) {
    make_room();
    if (free_.empty()) {
      records_.push_back(record);
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
