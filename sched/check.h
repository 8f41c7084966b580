// Assertions that stay on in every build: a scheduler that goes on after misuse hands out the disk by broken books.
#pragma once

#include <cstdio>
#include <cstdlib>

/// Prints "file:line: condition" on stderr and aborts when `condition` does not hold.
#define FAIRFS_CHECK(condition) \
  ((condition) ? static_cast<void>(0) : ::fairfs::sched::check_failed(__FILE__, __LINE__, #condition))

namespace fairfs::sched {

[[noreturn]] inline void check_failed(const char* file, int line, const char* condition) {
  std::fprintf(stderr, "%s:%d: check failed: %s\n", file, line, condition);
  std::abort();
}

}  // namespace fairfs::sched
