// From measured rates to what a request costs.
#pragma once

#include <cstdint>

#include "probe/samples.h"
#include "sched/disk_profile.h"

namespace fairfs::probe {

/// disk_profile.h's model: exact for 4 KiB and for 1 MiB random requests and for large sequential ones. `knee` is the
/// depth at which the small ones were measured.
[[nodiscard]] sched::CostCoefficients coefficients(const Samples& samples, Operation operation, std::uint32_t knee);

}  // namespace fairfs::probe
