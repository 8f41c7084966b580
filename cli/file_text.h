// A small file as a string.
#pragma once

#include <string>
#include <string_view>

namespace fairfs::cli {

/// Who complains about the file, and what to do about it.
struct FileContext {
  std::string_view what, path, advice;
};

/// The file `name` below the directory `directory` (AT_FDCWD: the working directory). Throws Failure when it can't be
/// read or is over 1 MiB: nobody writes that much configuration, but a device node never ends.
[[nodiscard]] std::string read_text(int directory, const std::string& name, const FileContext& context);

}  // namespace fairfs::cli
