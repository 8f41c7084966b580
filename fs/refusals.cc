#include "fs/refusals.h"

#include <fstream>

namespace fairfs::fs {
namespace {

std::string command_of(pid_t thread) {
  std::ifstream file{"/proc/" + std::to_string(thread) + "/comm"};
  std::string name;
  return std::getline(file, name, '\0') && name.ends_with('\n') ? name.substr(0, name.size() - 1) : "unknown";
}

}  // namespace

std::optional<std::string> Refusals::refused(const HandleBudget& budget, uid_t user, pid_t thread,
                                             std::size_t descriptors, Time now) {
  unsigned long before = 0;
  {
    const std::lock_guard lock{mutex_};
    if (told_ && now - *told_ < kSilence) {
      ++untold_;
      return std::nullopt;
    }
    told_ = now;
    before = std::exchange(untold_, 0);
  }
  std::string line = "open files: user " + std::to_string(user) + " (" + command_of(thread) + ") has " +
                     std::to_string(budget.taken_by(user)) + " of the mount's " + std::to_string(budget.most()) +
                     " and gets no more (ENFILE)";
  if (before != 0) line += ", as " + std::to_string(before) + " times since the last such line";
  return line +
         "; end what holds them, or start fairfs with a higher limit of descriptors (LimitNOFILE=, ulimit -n), " +
         std::to_string(descriptors) + " now";
}

}  // namespace fairfs::fs
