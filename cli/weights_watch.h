// Reloads the weights file when it changes.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "cli/stat_protocol.h"
#include "cli/unique_fd.h"
#include "cli/weights_file.h"

namespace fairfs::cli {

/// Watches the file's directory (editors replace a file by renaming another over it, which a watch of the file would
/// miss) in a thread of its own, which serves no requests: reading a file that lies under the mount itself can wait for
/// the daemon without stopping it. A file that is written to is read once it has been quiet for 100 ms, at the latest
/// 500 ms after the first change; broken rules are logged, and the old ones stay in force.
class WeightsWatch {
 public:
  /// `apply` is called from the watch's thread with each new set of rules. The file was read before: `text` is what is
  /// in force. Throws std::system_error when the directory can't be watched.
  /// `complain` is called there, too, whenever it was read: with what is wrong, or nothing.
  WeightsWatch(
      WeightsFile file, std::string text, std::function<void(engine::WeightRules)> apply,
      std::function<void(const std::string&)> complain = [](const std::string&) {});
  ~WeightsWatch();
  WeightsWatch(const WeightsWatch&) = delete;
  WeightsWatch& operator=(const WeightsWatch&) = delete;

  /// Reads the file at once, changed or not. Any thread; does not wait for it: it is done once `last_reload` says as
  /// many as this answers.
  std::uint64_t reload();
  [[nodiscard]] ReloadState last_reload() const;

 private:
  void serve();
  void reload_asked();
  /// What was wrong, empty for nothing.
  std::string read_again(bool forced);
  std::string read_anew(bool forced);
  [[nodiscard]] bool concerns_file();

  WeightsFile file_;
  std::string text_;
  bool complained_ = false;  ///< the log's last word about the file is that something is wrong with it
  std::function<void(engine::WeightRules)> apply_;
  std::function<void(const std::string&)> complain_;
  UniqueFd events_, wake_;
  mutable std::mutex mutex_;
  std::uint64_t asked_ = 0;  // under the mutex, as the next
  ReloadState done_;
  std::thread thread_;  // last: it uses the others
};

}  // namespace fairfs::cli
