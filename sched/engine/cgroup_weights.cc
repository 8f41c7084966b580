#include "sched/engine/cgroup_weights.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <vector>

#include "sched/engine/file.h"

namespace fairfs::engine {

std::optional<sched::Weight> parse_weight(std::string_view text) {
  std::string_view word = take_word(text);
  if (word == "default") word = take_word(text);
  unsigned long value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
  return static_cast<sched::Weight>(std::clamp<unsigned long>(value, sched::kWeightMin, sched::kWeightMax));
}

std::optional<sched::Weight> CgroupWeights::of(const std::string& cgroup) {
  {
    const std::lock_guard lock{mutex_};
    if (const auto known = known_.find(cgroup); known != known_.end()) {
      known->second.asked = true;
      return known->second.weight;
    }
  }
  const std::optional<sched::Weight> weight = read(cgroup);
  const std::lock_guard lock{mutex_};
  known_[cgroup] = {weight};
  return weight;
}

void CgroupWeights::refresh() {
  std::vector<std::string> paths;
  {
    const std::lock_guard lock{mutex_};
    std::erase_if(known_, [](const auto& entry) { return !entry.second.asked; });
    for (auto& [path, known] : known_) {
      known.asked = false;
      paths.push_back(path);
    }
  }
  for (const std::string& path : paths) {
    const std::optional<sched::Weight> weight = read(path);
    const std::lock_guard lock{mutex_};
    if (const auto known = known_.find(path); known != known_.end()) known->second.weight = weight;
  }
}

std::size_t CgroupWeights::size() const {
  const std::lock_guard lock{mutex_};
  return known_.size();
}

std::optional<sched::Weight> CgroupWeights::read(const std::string& cgroup) const {
  if (mount_.folder.empty()) return std::nullopt;
  std::string_view below = cgroup;
  if (mount_.root != "/") {
    if (!cgroup.starts_with(mount_.root)) return std::nullopt;  // outside of what our container can see
    below.remove_prefix(mount_.root.size());
    if (!below.empty() && below.front() != '/') return std::nullopt;
  }
  for (const char* file : {"/io.weight", "/io.bfq.weight", "/blkio.bfq.weight", "/blkio.weight"}) {
    std::array<char, 256> buffer;  // the first line is enough
    const std::string path = mount_.folder + std::string(below) + file;
    if (const auto weight = parse_weight(read_text(AT_FDCWD, path.c_str(), buffer))) return weight;
  }
  return std::nullopt;
}

}  // namespace fairfs::engine
