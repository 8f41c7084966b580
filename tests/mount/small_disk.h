// SmallDiskTest: a MountTest whose source is an ext4 of its own on a loop device: its sectors can be counted, and it is
// soon full.
#pragma once

#include <string>

#include "tests/mount/mount.h"

namespace fairfs::test {

class SmallDiskTest : public MountTest {
 protected:
  void SetUp() override;
  void TearDown() override;

  /// Sectors read from the device so far.
  unsigned long long sectors_read() const;

 private:
  Path place_;
  std::string device_;
};

}  // namespace fairfs::test
