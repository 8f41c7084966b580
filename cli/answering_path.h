// Paths into file systems that may never answer.
#pragma once

#include <string>
#include <string_view>

#include "cli/failure.h"

namespace fairfs::cli {

/// Returns once whoever is asked about `path` has answered, whatever the answer is. Throws Failure, naming `what` and
/// what is mounted there, when nobody does: a FUSE file system for 2 s, another for 30 s, since a disk may have to spin
/// up and a server to be found. Asked by a child process, which nothing but the answer may end, and which is left
/// behind then. Call it before there are threads. Where no child can be made it returns at once.
void check_that_answers(std::string_view what, const std::string& path);

/// The file system that `path` lies on by its words alone, links unread, as a text in the form of /proc/self/mountinfo
/// tells it: its mountpoint and type, empty when there is none.
struct PlaceOfPath {
  std::string mountpoint, type;
  bool operator==(const PlaceOfPath&) const = default;
};
[[nodiscard]] PlaceOfPath place_of(const std::string& path, std::string_view mountinfo);

}  // namespace fairfs::cli
