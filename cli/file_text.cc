#include "cli/file_text.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <cerrno>

#include "cli/failure.h"
#include "cli/unique_fd.h"

namespace fairfs::cli {
namespace {

constexpr std::size_t kSizeMax = std::size_t{1} << 20;

}  // namespace

std::string read_text(int directory, const std::string& name, const FileContext& context) {
  // Non-blocking: a fifo without a writer would hold the thread for ever.
  const UniqueFd file{openat(directory, name.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (!file) throw failed(context.what, context.path, errno, context.advice);
  struct stat status;
  if (fstat(file.get(), &status) != 0) throw failed(context.what, context.path, errno, context.advice);
  // A fifo would look like an empty file, and an empty weights file is a good one.
  if (S_ISFIFO(status.st_mode) || S_ISSOCK(status.st_mode))
    throw failed(context.what, context.path, "is not a file", context.advice);
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t count = read(file.get(), buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw failed(context.what, context.path, errno, context.advice);
    if (count == 0) return text;
    text.append(buffer.data(), static_cast<std::size_t>(count));
    if (text.size() > kSizeMax) throw failed(context.what, context.path, "is larger than 1 MiB", context.advice);
  }
}

}  // namespace fairfs::cli
