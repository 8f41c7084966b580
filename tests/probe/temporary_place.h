// A directory of a test's own on a real disk, gone afterwards.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace fairfs::test {

class TemporaryPlace {
 public:
  /// Below `parent`, or $FAIRFS_TEST_DIR, or /var/tmp.
  explicit TemporaryPlace(const std::string& parent = default_parent()) {
    std::string name = parent + "/fairfs-probe-XXXXXX";
    path_ = mkdtemp(name.data()) != nullptr ? name : std::string{};
  }
  TemporaryPlace(const TemporaryPlace&) = delete;
  TemporaryPlace& operator=(const TemporaryPlace&) = delete;
  ~TemporaryPlace() {
    if (!path_.empty()) std::filesystem::remove_all(path_);
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  static std::string default_parent() {
    const char* const given = std::getenv("FAIRFS_TEST_DIR");
    return given != nullptr ? given : "/var/tmp";
  }
  std::string path_;
};

}  // namespace fairfs::test
