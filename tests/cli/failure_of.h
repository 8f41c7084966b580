// What a call complains about.
#pragma once

#include <string>
#include <utility>

#include "cli/failure.h"

namespace fairfs::test {

/// Exit status and line of the Failure that `call` throws; {0, ""} when it throws none.
template <typename Call>
std::pair<int, std::string> failure_of(Call call) {
  try {
    call();
  } catch (const cli::Failure& failure) {
    return {failure.exit_status(), failure.what()};
  }
  return {0, ""};
}

}  // namespace fairfs::test
