#include "cli/mount_helper.h"

#include <algorithm>

#include "cli/comma_list.h"
#include "cli/failure.h"
#include "cli/mount_options.h"

namespace fairfs::cli {
namespace {

bool is_known(const std::string& option) {
  try {
    Options ignored;
    apply_mount_option(option, ignored);
    return true;
  } catch (const Failure&) {
    return false;
  }
}

/// The options joined again, escaped as they were.
std::string known_of(std::string_view text) {
  std::string result;
  for (const std::string& option : split_at_commas(text)) {
    if (!is_known(option)) continue;
    if (!result.empty()) result += ',';
    result += escape_commas(option);
  }
  return result;
}

}  // namespace

bool is_mount_helper(std::string_view program) {
  const std::string_view name = program.substr(program.rfind('/') + 1);  // npos + 1 is 0
  return name == "mount.fairfs" || name == "mount.fuse.fairfs";
}

MountHelperCall mount_helper_call(std::span<const char* const> arguments) {
  MountHelperCall call;
  std::string options;
  bool sloppy = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string_view word = arguments[i];
    if (word.size() < 2 || word.front() != '-') {
      call.arguments.emplace_back(word);
      continue;
    }
    // Letters may stand together, and the last one's value with it or behind it.
    for (std::size_t at = 1; at < word.size(); ++at) {
      const char letter = word[at];
      if (letter == 'o' || letter == 't' || letter == 'N') {
        const bool attached = at + 1 < word.size();
        if (!attached && ++i == arguments.size()) throw misused("-" + std::string{letter} + " needs a value");
        const std::string_view value = attached ? word.substr(at + 1) : std::string_view{arguments[i]};
        if (letter == 'o') options.append(options.empty() ? "" : ",").append(value);
        break;
      }
      if (letter == 's') {
        sloppy = true;
      } else if (letter == 'f') {
        call.fake = true;
      } else if (letter != 'n' && letter != 'v') {
        throw misused("option '-" + std::string{letter} + "' is not known");
      }
    }
  }
  if (sloppy) options = known_of(options);
  if (!options.empty()) call.arguments.insert(call.arguments.end(), {"-o", options});
  return call;
}

}  // namespace fairfs::cli
