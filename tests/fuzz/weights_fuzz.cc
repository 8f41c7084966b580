// Whatever bytes stand in the weights file: rules, or one line that says what is wrong with them.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "cli/failure.h"
#include "cli/weights_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace cli = fairfs::cli;
  namespace sched = fairfs::sched;
  try {
    const auto rules = cli::parse_weights({reinterpret_cast<const char*>(data), size}, "fuzz");
    for (const auto& rule : rules.rules) {
      if (rule.weight < sched::kWeightMin || rule.weight > sched::kWeightMax) std::abort();
      if (!rule.cgroup && !rule.names_process()) std::abort();
    }
  } catch (const cli::Failure& failure) {
    const std::string_view line = failure.what();
    if (!line.starts_with("fuzz:") || line.find('\n') != std::string_view::npos) std::abort();
  }
  return 0;
}
