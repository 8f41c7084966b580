// Standard output, which may be full.
#pragma once

#include <iosfwd>

namespace fairfs::cli {

/// What was written must have arrived before a program says that all went well. Throws Failure.
void flush(std::ostream& out);

}  // namespace fairfs::cli
