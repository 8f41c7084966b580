#include "cli/live/sums.h"

#include <algorithm>

namespace fairfs::cli {

void add_to(FlowView& sum, const FlowView& flow) {
  sum.share_due += flow.share_due;
  sum.share_got += flow.share_got;
  sum.read_bytes_per_s += flow.read_bytes_per_s;
  sum.write_bytes_per_s += flow.write_bytes_per_s;
  sum.reads_per_s += flow.reads_per_s;
  sum.writes_per_s += flow.writes_per_s;
  sum.fsyncs_per_s += flow.fsyncs_per_s;
  sum.cached_per_s += flow.cached_per_s;
  sum.metadata_per_s += flow.metadata_per_s;
  sum.queued += flow.queued;
  sum.in_flight += flow.in_flight;
  sum.dirty_bytes += flow.dirty_bytes;
  sum.writing_bytes += flow.writing_bytes;
  sum.written_behind_bytes_per_s += flow.written_behind_bytes_per_s;
  sum.throttled = std::max(sum.throttled, flow.throttled);
  sum.starved = std::max(sum.starved, flow.starved);
  for (double FlowView::*worst :
       {&FlowView::wait_us_p50, &FlowView::wait_us_p99, &FlowView::service_us_p50, &FlowView::service_us_p99,
        &FlowView::fsync_us_p50, &FlowView::fsync_us_p99, &FlowView::fsync_us_max}) {
    sum.*worst = std::max(sum.*worst, flow.*worst);
  }
}

}  // namespace fairfs::cli
