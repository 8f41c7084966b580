// The scheduler in a program of your own: a store with two customers, one of whom pays for three times as much. Runs on
// a clock and a disk that it makes up, which is all that the scheduler needs, and prints what each customer got.
//
// Link the static library fairfs_sched; it is C++20 and the standard library, and knows no thread, clock or file.
// A real program calls submit, next and complete under one mutex, with the time of its own clock.
#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <queue>
#include <variant>
#include <vector>

#include "sched/scheduler.h"

namespace {

using namespace std::chrono_literals;
using namespace fairfs::sched;

/// Asks for the next object as soon as it has one: `in_flight` at once, each of `bytes`.
struct Customer {
  const char* name;
  Weight weight;
  std::uint64_t bytes;
  unsigned in_flight;

  NodeId flow{};
  std::uint64_t objects = 0;
  Duration disk_time{};
};

/// A disk of four channels: each of them takes four times as long for a request as all of them together do.
constexpr unsigned kChannels = 4;
constexpr std::uint64_t kBytesPerSecond = 500'000'000;
constexpr Duration kBase = 50us;

Duration device_time(std::uint64_t bytes) { return kBase + Duration{bytes * 1'000'000'000 / kBytesPerSecond}; }

/// What the scheduler is told of it. Where a disk can't be described beforehand, the defaults do: costs follow what is
/// seen while it is busy.
DiskProfile profile() {
  DiskProfile result;
  result.depth = kChannels;
  result.parallelism = kChannels;
  result.read = {kBase, kBase, kBytesPerSecond};
  return result;
}

struct Completion {
  Time at;
  RequestId id;
  std::size_t customer;
  bool operator>(const Completion& other) const { return at > other.at; }
};

}  // namespace

int main() {
  SchedulerConfig config;
  config.profile = profile();
  Scheduler scheduler{config};
  // The one who pays less asks for larger objects and for more of them at once: it doesn't help.
  std::array customers{Customer{"gold", 300, 4 * 1024, 16}, Customer{"free", 100, 256 * 1024, 64}};
  std::uint64_t inode = 0;
  const auto ask = [&](std::size_t place, Time now) {
    const Customer& customer = customers[place];
    scheduler.submit({.flow = customer.flow,
                      .operation = Operation::read,
                      .inode = ++inode,  // another object each time
                      .bytes = customer.bytes,
                      .cookie = place},
                     now);
  };
  for (std::size_t place = 0; place < customers.size(); ++place) {
    customers[place].flow = scheduler.add_flow(kRoot, customers[place].weight);
    for (unsigned i = 0; i < customers[place].in_flight; ++i) ask(place, Time{});
  }

  constexpr Time kEnd{10s};
  std::priority_queue<Completion, std::vector<Completion>, std::greater<>> disk;
  for (Time now{}; now < kEnd;) {
    // Start what may start, until the scheduler says to wait.
    Decision decision = scheduler.next(now);
    for (; std::holds_alternative<Dispatch>(decision); decision = scheduler.next(now)) {
      const Dispatch& start = std::get<Dispatch>(decision);
      disk.push({now + kChannels * device_time(customers[start.cookie].bytes), start.id, start.cookie});
    }
    // Then the next thing that happens: a request ends, or the time comes at which the scheduler wants to be asked.
    const Time ask_again = std::get<Sleep>(decision).until;
    if (disk.empty() || ask_again < disk.top().at) {
      now = ask_again;
      continue;
    }
    const Completion done = disk.top();
    disk.pop();
    now = done.at;
    scheduler.complete(done.id, now);
    Customer& customer = customers[done.customer];
    ++customer.objects;
    customer.disk_time += device_time(customer.bytes);
    ask(done.customer, now);
  }

  const Duration all = customers[0].disk_time + customers[1].disk_time;
  std::printf("customer  weight  objects      MiB  share of the disk\n");
  for (const Customer& customer : customers) {
    std::printf("%-8s  %6u  %7llu  %7.1f  %.1f%%\n", customer.name, static_cast<unsigned>(customer.weight),
                static_cast<unsigned long long>(customer.objects),
                static_cast<double>(customer.objects * customer.bytes) / (1 << 20),
                100.0 * static_cast<double>(customer.disk_time.count()) / static_cast<double>(all.count()));
  }
  return 0;
}
