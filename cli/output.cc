#include "cli/output.h"

#include <ostream>

#include "cli/failure.h"

namespace fairfs::cli {

void flush(std::ostream& out) {
  if (!out.flush()) throw Failure{kExitFailed, "can't write to standard output; look where it leads"};
}

}  // namespace fairfs::cli
