#include "fs/open_handles.h"

#include <gtest/gtest.h>

#include <optional>
#include <set>

namespace fairfs::fs {
namespace {

struct Handle final : OpenHandle {
  Handle(OpenHandles& all, std::set<int>& alive, int number) : OpenHandle(all), alive_(alive), number_(number) {
    alive_.insert(number_);
  }
  ~Handle() override { alive_.erase(number_); }

 private:
  std::set<int>& alive_;
  const int number_;
};

TEST(OpenHandles, WhatIsNotReleasedEndsWithTheMount) {
  for (const int released : {0, 1, 2}) {  // the last, one between, the first of the list
    std::set<int> alive;
    std::optional<OpenHandles> all{std::in_place};
    Handle* handles[3];
    for (int i = 0; i < 3; ++i) handles[i] = new Handle(*all, alive, i);
    delete handles[released];
    EXPECT_EQ(alive.size(), 2u);
    EXPECT_FALSE(alive.contains(released));
    all.reset();
    EXPECT_TRUE(alive.empty());
  }
}

}  // namespace
}  // namespace fairfs::fs
