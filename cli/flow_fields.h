// The names under which programs get a flow's figures: the same in JSON and CSV.
#pragma once

#include "cli/interval_view.h"
#include "cli/text.h"

namespace fairfs::cli {

/// Calls visit(name, value) for each, in the order of the manual.
template <typename Visit>
void for_each_field(const FlowView& flow, Visit visit) {
  visit("name", flow.name);
  visit("command", flow.command);
  visit("pid", flow.pid);
  visit("cgroup", flow.cgroup);
  visit("uid", flow.uid);
  visit("group", flow.group);
  visit("weight", flow.weight);
  visit("class", class_word(flow.service));
  visit("overridden", flow.overridden);
  visit("share_due", flow.share_due);
  visit("share_got", flow.share_got);
  visit("backlogged", flow.backlogged);
  visit("demand_limited", flow.demand_limited);
  visit("read_bytes_per_s", flow.read_bytes_per_s);
  visit("write_bytes_per_s", flow.write_bytes_per_s);
  visit("reads_per_s", flow.reads_per_s);
  visit("writes_per_s", flow.writes_per_s);
  visit("fsyncs_per_s", flow.fsyncs_per_s);
  visit("cached_per_s", flow.cached_per_s);
  visit("metadata_per_s", flow.metadata_per_s);
  visit("queued", flow.queued);
  visit("in_flight", flow.in_flight);
  visit("wait_us_p50", flow.wait_us_p50);
  visit("wait_us_p99", flow.wait_us_p99);
  visit("service_us_p50", flow.service_us_p50);
  visit("service_us_p99", flow.service_us_p99);
  visit("dirty_bytes", flow.dirty_bytes);
  visit("writing_bytes", flow.writing_bytes);
  visit("written_behind_bytes_per_s", flow.written_behind_bytes_per_s);
  visit("throttled", flow.throttled);
  visit("starved", flow.starved);
  visit("fsync_us_p50", flow.fsync_us_p50);
  visit("fsync_us_p99", flow.fsync_us_p99);
  visit("fsync_us_max", flow.fsync_us_max);
  visit("ended", flow.ended);  // new ones at the end: some read CSV by its columns' places
}

}  // namespace fairfs::cli
