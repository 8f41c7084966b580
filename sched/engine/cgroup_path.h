// Which cgroup's I/O weight a thread falls under, and where that cgroup's files are.
#pragma once

#include <string>
#include <string_view>

namespace fairfs::engine {

/// The path in the text of /proc/<tid>/cgroup: of the v1 hierarchy with the blkio controller where there is one, else
/// of v2; "/" when neither is listed.
[[nodiscard]] std::string cgroup_of(std::string_view text);

/// Where the hierarchy that `cgroup_of` chooses is mounted.
struct CgroupMount {
  std::string folder;  ///< empty when it isn't mounted
  std::string root;    ///< the cgroup that shows at `folder`: "/" outside containers
  bool is_v2 = false;
};

/// Finds it in the text of /proc/self/mountinfo.
[[nodiscard]] CgroupMount find_cgroup_mount(std::string_view text);

}  // namespace fairfs::engine
