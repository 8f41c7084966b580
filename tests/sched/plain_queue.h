// The rules of sched/fair_queue.h without heaps or shortcuts: each step looks at all children.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "sched/node.h"

namespace fairfs::test {

/// What sched::FairQueue must say and do to the tags, whatever it does inside.
class PlainQueue {
 public:
  using Tag = sched::Tag;
  using Place = sched::Node::Place;

  explicit PlainQueue(std::vector<sched::Weight> weights) {
    for (const sched::Weight weight : weights) children_.emplace_back().weight = weight;
  }

  [[nodiscard]] const sched::Node& child(std::uint32_t index) const { return children_[index]; }
  [[nodiscard]] Tag virtual_time() const { return now_; }
  [[nodiscard]] bool empty() const { return !least_finish(Place::eligible); }
  [[nodiscard]] bool has_away() const { return least_finish(Place::away).has_value(); }
  [[nodiscard]] std::uint64_t weight_sum() const {
    std::uint64_t sum = 0;
    for (const sched::Node& each : children_) sum += each.place == Place::idle ? 0 : each.weight;
    return sum;
  }
  [[nodiscard]] std::uint32_t best() const {
    std::uint32_t best = sched::kNoIndex;
    for (std::uint32_t i = 0; i < children_.size(); ++i) {
      if (children_[i].place != Place::eligible) continue;
      if (best == sched::kNoIndex || children_[i].finish < children_[best].finish) best = i;
    }
    return best;
  }

  void set_cost(std::uint32_t index, std::uint64_t cost, std::uint64_t claim) {
    sched::Node& child = children_[index];
    if (child.cost == cost) return;
    child.cost = cost;
    if (cost == 0) {
      child.place = Place::idle;
    } else {
      if (child.place == Place::idle)
        child.start = std::max(child.start, claim == 0 ? entry() : std::min(entry(), now_ - ahead(child, claim)));
      stand(child);
    }
    advance(now_);
  }

  void serve(std::uint32_t index, std::uint64_t spent, std::uint64_t cost, bool away) {
    sched::Node& child = children_[index];
    const Tag target = now_ + sched::advance_of(spent, weight_sum(), remainder_);
    child.start += sched::advance_of(spent, child.weight, child.remainder);
    child.cost = cost;
    child.place = Place::idle;
    if (cost != 0)
      stand(child);
    else if (away)
      set_away(index, spent);
    if (weight_sum() == 0)
      now_ = target;
    else
      advance(target);
  }

  void charge(std::uint32_t index, std::uint64_t spent) {
    sched::Node& child = children_[index];
    if (child.place == Place::idle) child.start = std::max(child.start, now_);
    child.start += sched::advance_of(spent, child.weight, child.remainder);
    stay(child);
  }

  void set_away(std::uint32_t index, std::uint64_t expected) {
    sched::Node& child = children_[index];
    if (child.place != Place::idle) return;
    child.place = Place::away;
    child.finish = child.start + ahead(child, expected);
  }

  void set_idle(std::uint32_t index) {
    if (children_[index].place == Place::away) children_[index].place = Place::idle;
  }

  void set_weight(std::uint32_t index, sched::Weight weight) {
    sched::Node& child = children_[index];
    if (child.place != Place::idle || child.start > now_)
      child.start = now_ + (child.start - now_) * child.weight / weight;
    child.weight = weight;
    child.remainder = 0;
    stay(child);
  }

 private:
  [[nodiscard]] static Tag ahead(const sched::Node& child, std::uint64_t cost) {
    std::uint64_t nothing_carried = 0;
    return sched::advance_of(cost, child.weight, nothing_carried);
  }
  [[nodiscard]] std::optional<Tag> least_finish(Place place) const {
    std::optional<Tag> least;
    for (const sched::Node& each : children_)
      if (each.place == place) least = std::min(least.value_or(each.finish), each.finish);
    return least;
  }
  [[nodiscard]] sched::Node* first_waiting() {
    sched::Node* first = nullptr;
    for (sched::Node& each : children_)
      if (each.place == Place::waiting && (first == nullptr || each.start < first->start)) first = &each;
    return first;
  }
  void stand(sched::Node& child) {
    std::uint64_t carried = child.remainder;
    child.finish = child.start + sched::advance_of(child.cost, child.weight, carried);
    child.place = child.start <= now_ ? Place::eligible : Place::waiting;
  }
  /// Where its tag has changed.
  void stay(sched::Node& child) {
    if (child.place == Place::idle) return;
    if (child.place == Place::away) {
      child.finish = child.start;
      return;
    }
    stand(child);
    advance(now_);
  }
  [[nodiscard]] Tag entry() const {
    if (!jumped_) return now_;
    return std::min({now_, least_finish(Place::eligible).value_or(now_), least_finish(Place::away).value_or(now_)});
  }
  void advance(Tag target) {
    const std::optional<Tag> away = least_finish(Place::away);
    if (away) target = std::min(target, *away);
    if (const std::optional<Tag> eligible = least_finish(Place::eligible)) {
      target = std::min(target, *eligible);
    } else if (const sched::Node* const waiting = first_waiting()) {
      target = std::max(target, waiting->start);
      jumped_ = jumped_ || (away && target > *away);
    }
    target = std::max(target, now_);
    for (sched::Node* waiting; (waiting = first_waiting()) != nullptr && waiting->start <= target;) {
      waiting->place = Place::eligible;
      target = std::max(now_, std::min(target, waiting->finish));
    }
    now_ = target;
  }

  std::vector<sched::Node> children_;
  Tag now_ = 0;
  bool jumped_ = false;
  std::uint64_t remainder_ = 0;
};

}  // namespace fairfs::test
