// Models by name, as the command line and the tests give them.
#pragma once

#include <memory>
#include <string>

#include "tests/diskemu/device.h"

namespace fairfs::test {

/// "hdd", "raid0:4", "ssd", each with options after a colon: "ssd:channels=8,read_us=800,write_us=800,mb_s=300",
/// "raid0:4,cache_mb=256,battery=1". Options: cache_mb, cache_mb_s, battery (all); channels, read_us, write_us (ssd);
/// mb_s (all; of each member of a raid0). Throws std::invalid_argument naming what is wrong. `capacity` in bytes.
std::unique_ptr<Device> make_device(const std::string& spec, std::uint64_t capacity);

}  // namespace fairfs::test
