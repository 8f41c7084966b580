#include "probe/profile_cache.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "probe/traffic.h"

namespace fairfs::probe {
namespace {

/// FNV-1a over 64 bits: a short file name; the key itself stands in the file.
std::string hashed(const std::string& key) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char c : key) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
  return text.data();
}

std::string first_line(const std::string& path) {
  std::ifstream file{path};
  std::string line;
  std::getline(file, line);
  for (char& c : line) c = c == ' ' || static_cast<unsigned char>(c) < 0x20 ? '_' : c;
  return line;
}

/// FS_IOC_GETFSUUID of Linux 6.9, which older headers lack: a length and up to 16 bytes.
struct FilesystemUuid {
  unsigned char length;
  std::array<unsigned char, 16> bytes;
};
constexpr unsigned long kGetUuid = _IOR(0x15, 0, FilesystemUuid);

std::string filesystem_uuid(const std::string& directory) {
  const engine::FileDescriptor file{open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
  FilesystemUuid uuid{};
  std::ostringstream text;
  text << std::hex;
  if (file && ioctl(file.get(), kGetUuid, &uuid) == 0) {
    for (unsigned i = 0; i < uuid.length && i < uuid.bytes.size(); ++i) text << ' ' << unsigned{uuid.bytes.at(i)};
  } else {  // most filesystems make it from their UUID
    struct statfs status {};
    if (statfs(directory.c_str(), &status) != 0) return {};
    text << static_cast<unsigned>(status.f_fsid.__val[0]) << ' ' << static_cast<unsigned>(status.f_fsid.__val[1]);
  }
  std::string result = text.str();
  for (char& c : result) c = c == ' ' ? '-' : c;
  return result;
}

constexpr std::string_view kHead = "# measured on ";

}  // namespace

std::string device_key(const std::string& directory) {
  struct stat status {};
  if (stat(directory.c_str(), &status) != 0) return {};
  const dev_t device = block_device(status.st_dev);
  if (device == 0) return {};
  const std::string sys = device_directory(device);
  std::string key = std::filesystem::path{sys}.filename();
  for (const char* name : {"wwid", "device/wwid", "device/serial", "device/model", "dm/uuid", "md/uuid", "serial",
                           "loop/backing_file", "size", "queue/rotational"}) {
    if (const std::string value = first_line(sys + "/" + name); !value.empty()) key += " " + value;
  }
  return key + " " + filesystem_uuid(directory);
}

std::string cache_directory(bool root) {
  const char* const given = std::getenv("CACHE_DIRECTORY");
  if (given != nullptr && given[0] == '/') return std::string{given}.substr(0, std::string_view{given}.find(':'));
  if (root) return "/var/cache/fairfs";
  const char* const cache = std::getenv("XDG_CACHE_HOME");
  if (cache != nullptr && cache[0] == '/') return std::string{cache} + "/fairfs";
  const char* const home = std::getenv("HOME");
  return home != nullptr && home[0] == '/' ? std::string{home} + "/.cache/fairfs" : std::string{};
}

std::string ProfileCache::path(const std::string& key) const { return directory_ + "/" + hashed(key) + ".toml"; }

std::optional<ProfileCache::Kept> ProfileCache::load(const std::string& key, WallTime now) const {
  const std::string name = path(key);
  struct stat status {};
  if (directory_.empty() || key.empty() || stat(name.c_str(), &status) != 0) return std::nullopt;
  const auto age = now - std::chrono::system_clock::from_time_t(status.st_mtime);
  if (age > kAgeMax || age < std::chrono::seconds{-1}) return std::nullopt;
  std::ifstream file{name};
  std::stringstream text;
  text << file.rdbuf();
  if (!file || !text.str().starts_with(std::string{kHead} + key + "\n")) return std::nullopt;
  return Kept{text.str(), age};
}

bool ProfileCache::make_directory() const {
  if (directory_.empty()) {
    errno = ENOENT;
    return false;
  }
  std::error_code error;
  std::filesystem::create_directories(directory_, error);
  errno = error.value();
  return !error;
}

bool ProfileCache::store(const std::string& key, const std::string& text) {
  if (!make_directory()) return false;
  const std::string name = path(key), fresh = name + "." + std::to_string(getpid());
  const std::string content = std::string{kHead} + key + "\n" + text;
  bool written = false;
  {
    const engine::FileDescriptor file{open(fresh.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)};
    written = file && write(file.get(), content.data(), content.size()) == static_cast<ssize_t>(content.size());
  }
  if (written && rename(fresh.c_str(), name.c_str()) == 0) return true;
  const int error = errno;
  unlink(fresh.c_str());
  errno = error;
  return false;
}

engine::FileDescriptor ProfileCache::lock(const std::string& directory, std::chrono::milliseconds patience) {
  struct stat status {};
  if (!make_directory() || stat(directory.c_str(), &status) != 0) return {};
  const std::string disk = std::filesystem::path{device_directory(block_device(status.st_dev))}.filename();
  engine::FileDescriptor file{open((directory_ + "/" + disk + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644)};
  constexpr int kRound_ms = 20;
  while (file && flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (patience.count() <= 0) return {};
    poll(nullptr, 0, kRound_ms);
    patience -= std::chrono::milliseconds{kRound_ms};
  }
  return file;
}

}  // namespace fairfs::probe
