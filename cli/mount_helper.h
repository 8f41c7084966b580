// Called by mount(8), which has a command line of its own for such programs.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace fairfs::cli {

/// True for the names mount(8) looks for: mount.fairfs and mount.fuse.fairfs.
[[nodiscard]] bool is_mount_helper(std::string_view program);

/// What mount(8) asked for, as a command line of fairfs.
struct MountHelperCall {
  std::vector<std::string> arguments;
  bool fake = false;  ///< -f: do everything but mount
};

/// `SOURCE MOUNTPOINT [-sfnv] [-N NAMESPACE] [-o OPTIONS] [-t TYPE]`, in any order (mount(8), "External helpers"). With
/// -s options that fairfs doesn't know are left out; -n and -v change nothing. Throws Failure with exit status 2.
[[nodiscard]] MountHelperCall mount_helper_call(std::span<const char* const> arguments);

}  // namespace fairfs::cli
