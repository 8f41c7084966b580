// What flows got together.
#pragma once

#include "cli/interval_view.h"

namespace fairfs::cli {

/// Adds a flow, or a group's sum, to a sum: rates, shares and queues add up; of the times the worst counts.
void add_to(FlowView& sum, const FlowView& flow);

}  // namespace fairfs::cli
