#include "sched/stats.h"

#include <gtest/gtest.h>

#include <chrono>
#include <initializer_list>

namespace fairfs::test {
namespace {

using namespace std::chrono_literals;
using sched::Duration;
using sched::LatencyHistogram;

TEST(LatencyHistogram, EightBucketsAnOctaveFromOneMicrosecond) {
  LatencyHistogram histogram;
  for (const Duration sample : {0ns, 999ns, 1000ns, 1124ns}) histogram.add(sample);
  EXPECT_EQ(histogram.buckets()[0], 4U);  // everything below 1.125 us
  histogram.add(1125ns);
  EXPECT_EQ(histogram.buckets()[1], 1U);
  histogram.add(2us);
  EXPECT_EQ(histogram.buckets()[8], 1U);
  histogram.add(1024us);
  EXPECT_EQ(histogram.buckets()[80], 1U);
  histogram.add(24h);
  EXPECT_EQ(histogram.samples(), 8U);
}

TEST(LatencyHistogram, APercentileIsWithinSixPercentOfTheSample) {
  for (const Duration sample : std::initializer_list<Duration>{1us, 3us, 100us, 777us, 15ms, 2s, 1h}) {
    LatencyHistogram histogram;
    histogram.add(sample);
    const auto exact = static_cast<double>(sample.count());
    EXPECT_NEAR(static_cast<double>(histogram.percentile(0.5).count()), exact, exact / 16 + 1);
  }
}

TEST(LatencyHistogram, PercentilesOfAHundred) {
  LatencyHistogram histogram;
  EXPECT_EQ(histogram.percentile(0.5), 0ns);
  for (int i = 0; i < 98; ++i) histogram.add(100us);
  histogram.add(10ms);
  histogram.add(1s);
  const auto near = [&](double fraction, Duration sample) {
    EXPECT_NEAR(static_cast<double>(histogram.percentile(fraction).count()), static_cast<double>(sample.count()),
                static_cast<double>(sample.count()) / 16);
  };
  near(0, 100us);
  near(0.5, 100us);
  near(0.98, 100us);
  near(0.99, 10ms);
  near(1, 1s);
}

TEST(LatencyHistogram, ADifferenceHoldsOnlyWhatCameSince) {
  LatencyHistogram early;
  early.add(1s);
  LatencyHistogram late = early;
  late.add(100us);
  EXPECT_EQ(late.since(early).samples(), 1U);
  EXPECT_LT(late.since(early).percentile(1), 110us);
}

}  // namespace
}  // namespace fairfs::test
