#include "sched/engine/io_priority.h"

#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace fairfs::engine {
namespace {

// linux/ioprio.h, which not every system has.
constexpr int kClassShift = 13, kClassMask = 7, kLevelMask = 7, kWhoProcess = 1;
constexpr int kNone = 0, kRealTime = 1, kBestEffort = 2, kIdle = 3;
constexpr int kNiceMin = -20, kNicePerLevel = 5;

}  // namespace

IoPriority priority_from(int set, int policy, int nice) {
  using sched::ServiceClass;
  const auto level = static_cast<unsigned>(set & kLevelMask);
  switch (set >> kClassShift & kClassMask) {
    case kRealTime:
      return {ServiceClass::realtime, level};
    case kBestEffort:
      return {ServiceClass::best_effort, level};
    case kIdle:
      return {ServiceClass::idle, IoPriority::kLevelDefault};  // levels mean nothing here
    default:
      break;
  }
  if (policy == SCHED_IDLE) return {ServiceClass::idle, IoPriority::kLevelDefault};
  const int from_nice = std::clamp((nice - kNiceMin) / kNicePerLevel, 0, kLevelMask);
  const bool realtime = policy == SCHED_FIFO || policy == SCHED_RR;
  return {realtime ? ServiceClass::realtime : ServiceClass::best_effort, static_cast<unsigned>(from_nice)};
}

IoPriority io_priority_of(pid_t thread) {
  const long set = ::syscall(SYS_ioprio_get, kWhoProcess, thread);
  if (set < 0) return {};
  if ((static_cast<int>(set) >> kClassShift & kClassMask) != kNone) return priority_from(static_cast<int>(set), 0, 0);
  const int policy = ::sched_getscheduler(thread);
  errno = 0;
  const int nice = ::getpriority(PRIO_PROCESS, static_cast<id_t>(thread));
  if (policy < 0 || (nice == -1 && errno != 0)) return {};
  return priority_from(kNone, policy, nice);
}

sched::Weight scaled(sched::Weight weight, unsigned level) {
  const unsigned product = unsigned{weight} * (IoPriority::kLevels - level) / (IoPriority::kLevels / 2);
  return static_cast<sched::Weight>(std::clamp<unsigned>(product, sched::kWeightMin, sched::kWeightMax));
}

}  // namespace fairfs::engine
