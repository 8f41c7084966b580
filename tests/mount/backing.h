// File systems to stand behind fairfs, beside the disk's own.
#pragma once

#include <ostream>
#include <string>

#include "tests/mount/daemon.h"

namespace fairfs::test {

enum class Backing { disk, tmpfs, ramfs, overlay, fuse };

std::string name_of(Backing backing);
inline void PrintTo(Backing backing, std::ostream* out) { *out << name_of(backing); }

/// A DaemonTest whose source lies on another file system than the disk's.
class BackedTest : public DaemonTest {
 protected:
  /// Mounts one of that kind at source(); the directories it needs lie beside it. Another fairfs for `fuse`.
  void mount_backing(Backing backing);
};

}  // namespace fairfs::test
