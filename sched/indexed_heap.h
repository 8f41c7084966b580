// A binary min-heap of nodes by tag, ties by node id, from which any node can be taken or moved.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sched/slab.h"
#include "sched/virtual_time.h"

namespace fairfs::sched {

/// Where each node stands in the one heap that holds it, by node id. Apart from the nodes: at 100,000 of them the
/// places fit the second-level cache and the nodes don't, and a sift writes a place at each step.
using HeapPlaces = std::vector<std::uint32_t>;

/// The tag is kept in the entry so that a comparison touches no node.
class IndexedHeap {
 public:
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  [[nodiscard]] std::size_t size() const { return entries_.size(); }
  [[nodiscard]] std::uint32_t top() const { return entries_.front().node; }
  [[nodiscard]] Tag top_key() const { return entries_.front().key; }

  /// So many nodes can stand in it without its growing. Throws std::bad_alloc, and nothing has changed then.
  void make_room(std::size_t nodes) { sched::make_room(entries_, nodes); }

  void push(Tag key, std::uint32_t node, HeapPlaces& places) {
    entries_.push_back({key, node});
    rise(entries_.size() - 1, {key, node}, places);
  }
  void erase(std::uint32_t node, HeapPlaces& places) {
    const std::size_t hole = places[node];
    const Entry last = entries_.back();
    entries_.pop_back();
    if (hole < entries_.size()) settle(hole, last, places);
  }
  void change(Tag key, std::uint32_t node, HeapPlaces& places) { settle(places[node], {key, node}, places); }

 private:
  struct Entry {
    Tag key;
    std::uint32_t node;
    [[nodiscard]] bool before(const Entry& other) const {
      return key != other.key ? key < other.key : node < other.node;
    }
  };

  void put(std::size_t place, const Entry& entry, HeapPlaces& places) {
    entries_[place] = entry;
    places[entry.node] = static_cast<std::uint32_t>(place);
  }
  void settle(std::size_t hole, const Entry& entry, HeapPlaces& places) {
    if (hole > 0 && entry.before(entries_[(hole - 1) / 2])) {
      rise(hole, entry, places);
    } else {
      sink(hole, entry, places);
    }
  }
  void rise(std::size_t hole, const Entry& entry, HeapPlaces& places) {
    while (hole > 0) {
      const std::size_t parent = (hole - 1) / 2;
      if (!entry.before(entries_[parent])) break;
      put(hole, entries_[parent], places);
      hole = parent;
    }
    put(hole, entry, places);
  }
  void sink(std::size_t hole, const Entry& entry, HeapPlaces& places) {
    const std::size_t size = entries_.size();
    for (std::size_t child = 2 * hole + 1; child < size; child = 2 * hole + 1) {
      if (child + 1 < size && entries_[child + 1].before(entries_[child])) ++child;
      if (!entries_[child].before(entry)) break;
      put(hole, entries_[child], places);
      hole = child;
    }
    put(hole, entry, places);
  }

  std::vector<Entry> entries_;
};

}  // namespace fairfs::sched
