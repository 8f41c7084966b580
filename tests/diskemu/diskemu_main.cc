// diskemu: mounts a file whose reads and writes take the time a modelled disk would take.
#include <getopt.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

#include "tests/diskemu/disk_mount.h"

namespace {

constexpr char kUsage[] =
    "usage: diskemu --model SPEC --size-mb N [--slow FACTOR] [--store FILE] DIR\n"
    "SPEC: hdd | raid0:N | ssd, options after a colon: channels= read_us= write_us= (ssd), mb_s=, cache_mb=, battery=\n"
    "Stays in the foreground. DIR/disk is the disk; see the README beside the source for DIR/accounts and "
    "DIR/control.\n";

double number(const char* text, double least, double most) {
  char* end = nullptr;
  const double value = std::strtod(text, &end);
  if (end == text || *end != '\0' || !(value >= least && value <= most)) {
    throw std::invalid_argument(std::string{"bad number '"} + text + "'");
  }
  return value;
}

fairfs::test::DiskConfig parse(int argc, char** argv) {
  const option options[] = {{"model", required_argument, nullptr, 'm'},
                            {"size-mb", required_argument, nullptr, 's'},
                            {"slow", required_argument, nullptr, 'f'},
                            {"store", required_argument, nullptr, 'c'},
                            {nullptr, 0, nullptr, 0}};
  fairfs::test::DiskConfig config;
  for (int key = 0; (key = getopt_long(argc, argv, "", options, nullptr)) != -1;) {
    switch (key) {
      case 'm':
        config.model = optarg;
        break;
      case 's':
        config.size = static_cast<std::uint64_t>(number(optarg, 1, 1e8)) * 1024 * 1024;
        break;
      case 'f':
        config.slowness = number(optarg, 0, 1e6);
        break;
      case 'c':
        config.store = optarg;
        break;
      default:
        throw std::invalid_argument("unknown option");
    }
  }
  if (config.model.empty() || config.size == 0 || optind + 1 != argc) throw std::invalid_argument("missing argument");
  config.directory = argv[optind];
  return config;
}

// A disk answers on time however busy the processors are. Each of these may be refused; then it is a little less exact.
void prefer_punctuality() {
  prctl(PR_SET_TIMERSLACK, 1UL);  // ns; the default rounds every wait up by 50 us
  sched_param priority{};
  priority.sched_priority = 1;
  if (sched_setscheduler(0, SCHED_FIFO, &priority) != 0) setpriority(PRIO_PROCESS, 0, -20);
#ifdef PR_SET_IO_FLUSHER
  prctl(PR_SET_IO_FLUSHER, 1, 0, 0, 0);  // memory reclaim may be waiting for this disk
#endif
}

}  // namespace

int main(int argc, char** argv) {
  fairfs::test::DiskConfig config;
  try {
    config = parse(argc, argv);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "diskemu: %s\n%s", error.what(), kUsage);
    return 2;
  }
  try {
    fairfs::test::DiskMount mount{config};
    prefer_punctuality();
    mount.run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "diskemu: %s\n", error.what());
    return 1;
  }
  return 0;
}
