// Whoever started fairfs as a service and waits for its word: systemd's Type=notify.
#pragma once

#include <string>
#include <string_view>

namespace fairfs::cli {

/// The datagrams of sd_notify(3). Best effort: where nobody listens nothing is said. Any thread.
class ServiceManager {
 public:
  /// Nobody.
  ServiceManager() = default;
  /// The one that $NOTIFY_SOCKET names: a socket's path, or with @ in front an abstract one. The variable is taken
  /// away, so that no program that we start speaks for us: call before any thread exists.
  [[nodiscard]] static ServiceManager of_environment();

  /// The mount answers. `status` is a line for people, without a line feed.
  void ready(std::string_view status) const;
  void stopping() const;

 private:
  void say(const std::string& words) const;

  std::string address_;
};

}  // namespace fairfs::cli
