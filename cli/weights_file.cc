#include "cli/weights_file.h"

#include <fcntl.h>

#include <cerrno>
#include <utility>

#include "cli/failure.h"
#include "cli/file_text.h"

namespace fairfs::cli {

WeightsFile::WeightsFile(std::string path, const char* advice) : path_{std::move(path)}, advice_{advice} {
  const auto slash = path_.rfind('/');
  const std::string parent = slash == std::string::npos ? "." : path_.substr(0, slash + 1);
  directory_ = UniqueFd{open(parent.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)};
  if (!directory_) throw failed("weights", path_, errno, advice_);
}

std::string WeightsFile::name() const {
  const auto slash = path_.rfind('/');
  return slash == std::string::npos ? path_ : path_.substr(slash + 1);
}

std::string WeightsFile::read() const { return read_text(directory_.get(), name(), {"weights", path_, advice_}); }

}  // namespace fairfs::cli
