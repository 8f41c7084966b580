// Where the daemon offers its metrics: metrics=unix:/path or metrics=127.0.0.1:9123.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fairfs::cli {

/// A Unix socket, or a port of this machine alone: names of programs are nobody else's business.
struct MetricsAddress {
  std::string path;    ///< of a Unix socket; empty for a port
  bool is_v6 = false;  ///< [::1] instead of 127.0.0.1
  std::uint16_t port = 0;
};

/// Nothing for what is none.
[[nodiscard]] std::optional<MetricsAddress> parse_metrics_address(std::string_view text);
[[nodiscard]] std::string to_text(const MetricsAddress& address);

}  // namespace fairfs::cli
