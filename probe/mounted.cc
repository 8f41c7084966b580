#include "probe/mounted.h"

#include <sys/sysmacros.h>

#include <fstream>
#include <sstream>

namespace fairfs::probe {

Mounted mounted(dev_t file_system) {
  const std::string numbers = std::to_string(major(file_system)) + ":" + std::to_string(minor(file_system));
  std::ifstream mounts{"/proc/self/mountinfo"};
  for (std::string line; std::getline(mounts, line);) {
    std::istringstream words{line};
    std::string word, found;
    words >> word >> word >> found;
    if (found != numbers) continue;
    while (words >> word && word != "-") {
    }
    Mounted mount;
    words >> mount.type >> mount.source;
    return mount;
  }
  return {};
}

}  // namespace fairfs::probe
