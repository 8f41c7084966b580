// The fair queue against its rules spelt out: random calls, and after each one the same tags, virtual time and choice.
// FAIRFS_SEED=n repeats one.
#include "tests/sched/plain_queue.h"

#include <gtest/gtest.h>

#include <string>

#include "sched/fair_queue.h"
#include "tests/sim/seed.h"

namespace fairfs::test {
namespace {

class Pair {
 public:
  explicit Pair(Random& random) : random_(random), plain_(random_weights(random)), awaits_(random.chance(50)) {
    for (std::uint32_t i = 0; i < children_; ++i) nodes_.node.emplace_back().weight = plain_.child(i).weight;
    nodes_.places.resize(children_);
  }

  void step() {
    const auto child = static_cast<std::uint32_t>(random_.between(0, children_ - 1));
    const std::uint64_t kind = random_.between(0, 99);
    if (kind < 60)
      serve(random_.chance(90) ? plain_.best() : child);
    else if (kind < 90)
      set_cost(child);
    else
      steer(child);
  }

  void compare() {
    for (std::uint32_t i = 0; i < children_; ++i) {
      const sched::Node &one = nodes_.node[i], &other = plain_.child(i);
      ASSERT_TRUE(one.start == other.start && one.cost == other.cost && one.remainder == other.remainder) << i;
      ASSERT_TRUE(one.place == other.place && one.weight == other.weight) << i;
      ASSERT_TRUE(one.place == sched::Node::Place::idle || one.finish == other.finish) << i;
    }
    ASSERT_TRUE(queue_.virtual_time() == plain_.virtual_time());
    ASSERT_EQ(queue_.weight_sum(), plain_.weight_sum());
    ASSERT_EQ(queue_.has_away(), plain_.has_away());
    ASSERT_EQ(queue_.empty(), plain_.empty());
    if (queue_.empty()) return;
    ASSERT_EQ(queue_.best(), plain_.best());
    if (queue_.weight_sum() == nodes_.node[queue_.best()].weight) ++by_itself_;
  }
  /// Steps after which one had the queue to itself.
  [[nodiscard]] int by_itself() const { return by_itself_; }

 private:
  [[nodiscard]] std::vector<sched::Weight> random_weights(Random& random) {
    std::vector<sched::Weight> weights(children_ = static_cast<std::uint32_t>(random.between(1, 4)));
    for (sched::Weight& weight : weights) weight = random_weight(random);
    return weights;
  }
  [[nodiscard]] static sched::Weight random_weight(Random& random) {
    return static_cast<sched::Weight>(random.between(1, random.chance(50) ? 3 : sched::kWeightMax));
  }
  /// Often equal ones, so that tags meet.
  [[nodiscard]] std::uint64_t cost() { return random_.chance(70) ? 1'000 : random_.between(1, 1'000'000); }

  void serve(std::uint32_t child) {
    if (child == sched::kNoIndex || plain_.child(child).cost == 0) return;
    const std::uint64_t spent = random_.chance(80) ? plain_.child(child).cost : cost();
    const std::uint64_t next = random_.chance(50) ? cost() : 0;
    const bool away = awaits_ && random_.chance(50);
    queue_.serve(nodes_, child, spent, next, away);
    plain_.serve(child, spent, next, away);
  }
  void set_cost(std::uint32_t child) {
    const std::uint64_t next = random_.chance(70) ? cost() : 0;
    const std::uint64_t claim = random_.chance(40) ? random_.between(1, 10'000) : 0;
    queue_.set_cost(nodes_, child, next, claim);
    plain_.set_cost(child, next, claim);
  }
  void steer(std::uint32_t child) {
    const std::uint64_t time = cost();
    switch (random_.between(0, 3)) {
      case 0:
        queue_.charge(nodes_, child, time);
        return plain_.charge(child, time);
      case 1:
        if (plain_.child(child).cost != 0) return;
        queue_.set_away(nodes_, child, time);
        return plain_.set_away(child, time);
      case 2:
        queue_.set_idle(nodes_, child);
        return plain_.set_idle(child);
      default: {
        const sched::Weight weight = random_weight(random_);
        queue_.set_weight(nodes_, child, weight);
        plain_.set_weight(child, weight);
      }
    }
  }

  Random& random_;
  std::uint32_t children_ = 0;
  PlainQueue plain_;
  sched::FairQueue queue_;
  sched::Nodes nodes_;
  bool awaits_;
  int by_itself_ = 0;
};

TEST(PlainQueue, SaysWhatTheFairQueueSays) {
  const auto [first, last] = seeds(500);
  int by_itself = 0;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    SCOPED_TRACE("FAIRFS_SEED=" + std::to_string(seed));
    Random random{Seed{seed}};
    Pair pair{random};
    for (int i = 0; i < 500; ++i) {
      pair.step();
      ASSERT_NO_FATAL_FAILURE(pair.compare()) << "after step " << i;
    }
    by_itself += pair.by_itself();
  }
  EXPECT_GT(by_itself, 0) << "the usual case is among them";
}

}  // namespace
}  // namespace fairfs::test
