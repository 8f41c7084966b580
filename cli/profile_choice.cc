#include "cli/profile_choice.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <optional>

#include "cli/failure.h"
#include "cli/profile_file.h"
#include "cli/profile_text.h"
#include "cli/text.h"
#include "probe/profile_cache.h"
#include "probe/runner.h"

namespace fairfs::cli {
namespace {

using probe::ProfileCache;

/// Longer than any probe takes: after that whoever holds the lock is stuck.
constexpr std::chrono::seconds kLockPatience{15};

/// A profile of low confidence is measured anew after this, so that a bad moment doesn't stay for a month, and not at
/// each mount, since a spindle's rounds differ by chance.
constexpr std::chrono::hours kDoubtedAgeMax{24};

/// "measuring the disk 40 %", rewritten in place; gone at the end.
class ProgressLine {
 public:
  ~ProgressLine() {
    if (shown_) std::fputs("\r\x1b[K", stderr);
  }
  void show(double part) {
    if (isatty(STDERR_FILENO) == 0) return;
    shown_ = true;
    std::fprintf(stderr, "\rmeasuring the disk %3ld %%", std::lround(part * 100));
  }

 private:
  bool shown_ = false;
};

std::optional<sched::DiskProfile> kept_profile(const ProfileCache& cache, const std::string& key) {
  const auto kept = cache.load(key, std::chrono::system_clock::now());
  if (!kept) return std::nullopt;
  try {
    const sched::DiskProfile profile = parse_profile(kept->text, cache.path(key));
    if (profile.confidence != sched::Confidence::high && kept->age > kDoubtedAgeMax) return std::nullopt;
    return profile;
  } catch (const Failure&) {  // from another version, or damaged: as if it weren't there
    return std::nullopt;
  }
}

sched::DiskProfile measure_and_keep(ProfileCache& cache, const std::string& key, const std::string& directory,
                                    const std::optional<sched::DiskProfile>& kept, bool alone) {
  ProgressLine line;
  probe::Measurement result =
      probe::measure({.directory = directory, .idle_before = kept && kept->idle, .progress = [&line](double part) {
                        line.show(part);
                      }});
  sched::DiskProfile& profile = result.profile;
  if (!alone && profile.measured.reads) {
    profile.confidence = sched::Confidence::low;
    profile.reason += "; another fairfs may have measured this disk meanwhile";
  } else if (profile.confidence != sched::Confidence::none && !result.disturbed && !key.empty()) {
    cache.store(key, profile_text(profile));
  }
  return profile;
}

}  // namespace

sched::DiskProfile measure_profile(const std::string& directory) {
  ProfileCache cache{probe::cache_directory(geteuid() == 0)};
  const std::string key = probe::device_key(directory);
  const auto lock = cache.lock(directory, kLockPatience);
  return measure_and_keep(cache, key, directory, kept_profile(cache, key), static_cast<bool>(lock));
}

sched::DiskProfile choose_profile(const Options& options) {
  switch (options.probe) {
    case Options::Probe::off:
      return {};
    case Options::Probe::file:
      return load_profile(options.profile);
    case Options::Probe::run:
      return measure_profile(options.mount.source);
    case Options::Probe::automatic:
      break;
  }
  ProfileCache cache{probe::cache_directory(geteuid() == 0)};
  const std::string key = probe::device_key(options.mount.source);
  if (auto kept = kept_profile(cache, key)) return *kept;
  if (options.policy == sched::Policy::off) return {};  // what nothing asks for is not worth a wait
  const auto lock = cache.lock(options.mount.source, kLockPatience);
  if (auto kept = kept_profile(cache, key)) return *kept;  // whoever held the lock measured for us too
  return measure_and_keep(cache, key, options.mount.source, std::nullopt, static_cast<bool>(lock));
}

void print_profile(const Options& options) {
  struct stat status {};
  const std::string& directory = options.mount.source;
  if (stat(directory.c_str(), &status) != 0) throw failed("probe", directory, errno, "name a directory that exists");
  if (!S_ISDIR(status.st_mode)) throw failed("probe", directory, ENOTDIR, "name a directory that exists");
  const sched::DiskProfile profile = measure_profile(directory);
  std::fprintf(stderr, "%s: %s (confidence: %s)\n", printable(directory).c_str(), printable(profile.reason).c_str(),
               std::string{spelled(profile.confidence)}.c_str());
  std::cout << (options.json ? profile_json(profile) + "\n" : profile_text(profile));
}

}  // namespace fairfs::cli
