#include "cli/metrics_address.h"

#include <limits>

#include "cli/numbers.h"

namespace fairfs::cli {
namespace {

constexpr std::string_view kUnix = "unix:", kV4 = "127.0.0.1:", kV6 = "[::1]:";

}  // namespace

std::optional<MetricsAddress> parse_metrics_address(std::string_view text) {
  MetricsAddress result;
  if (text.starts_with(kUnix)) {
    result.path = text.substr(kUnix.size());
    return result.path.starts_with('/') ? std::optional{result} : std::nullopt;
  }
  result.is_v6 = text.starts_with(kV6);
  if (!result.is_v6 && !text.starts_with(kV4)) return std::nullopt;
  text.remove_prefix(result.is_v6 ? kV6.size() : kV4.size());
  const auto port = number_within<std::uint16_t>(text, 1, std::numeric_limits<std::uint16_t>::max());
  if (!port) return std::nullopt;
  result.port = *port;
  return result;
}

std::string to_text(const MetricsAddress& address) {
  if (!address.path.empty()) return std::string{kUnix} + address.path;
  return std::string{address.is_v6 ? kV6 : kV4} + std::to_string(address.port);
}

}  // namespace fairfs::cli
