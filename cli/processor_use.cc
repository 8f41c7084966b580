#include "cli/processor_use.h"

#include <fstream>
#include <sstream>
#include <utility>

namespace fairfs::cli {

std::optional<ProcessorTimes> processor_times(const std::string& proc_stat) {
  std::istringstream line{proc_stat.substr(0, proc_stat.find('\n'))};
  std::string word;
  // user nice system idle iowait irq softirq steal; guests' time is in user and nice, too.
  std::uint64_t user = 0, nice = 0, system = 0, idle = 0;
  if (!(line >> word >> user >> nice >> system >> idle) || word != "cpu") return std::nullopt;
  ProcessorTimes result{.idle = idle, .total = user + nice + system + idle};
  std::uint64_t ticks = 0;
  for (int place = 0; place < 4 && line >> ticks; ++place) {
    result.total += ticks;
    if (place == 0) result.idle += ticks;
  }
  return result;
}

double ProcessorUse::look() {
  std::ifstream file{"/proc/stat"};
  std::string line;
  std::getline(file, line);
  return add(line);
}

double ProcessorUse::add(const std::string& proc_stat) {
  const std::optional<ProcessorTimes> now = processor_times(proc_stat), before = std::exchange(last_, now);
  // iowait may go back by a little.
  if (!now || !before || now->total <= before->total || now->idle < before->idle) return 0;
  const std::uint64_t idle = now->idle - before->idle, total = now->total - before->total;
  return idle < total ? 1 - static_cast<double>(idle) / static_cast<double>(total) : 0;
}

}  // namespace fairfs::cli
