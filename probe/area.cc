#include "probe/area.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <random>
#include <utility>

#include "probe/trial.h"

namespace fairfs::probe {
namespace {

constexpr std::uint64_t kAlignment = 4096;

}  // namespace

void Area::add(engine::FileDescriptor file, std::uint64_t bytes) {
  bytes = bytes / kBytesMax * kBytesMax;
  parts_.push_back({std::move(file), bytes_, bytes});
  bytes_ += bytes;
}

void Area::cut(std::uint64_t bytes) {
  while (!parts_.empty() && parts_.back().start >= bytes) parts_.pop_back();
  if (!parts_.empty()) parts_.back().bytes = std::min(parts_.back().bytes, bytes - parts_.back().start);
  bytes_ = std::min(bytes_, bytes);
}

Area::Place Area::place(std::uint64_t offset, std::uint64_t bytes) const {
  const auto after = std::find_if(parts_.begin(), parts_.end(), [&](const Part& part) { return part.start > offset; });
  const Part& part = *(after - 1);
  return {part.file.get(), std::min(offset - part.start, part.bytes - bytes)};
}

Noise::Noise() : data_(std::aligned_alloc(kAlignment, kBytesMax)) {
  if (data_ == nullptr) throw std::bad_alloc{};
  std::mt19937_64 random;
  auto* const words = static_cast<std::uint64_t*>(data_);
  std::generate(words, words + kBytesMax / sizeof(std::uint64_t), [&random] { return random(); });
}

Noise::~Noise() { std::free(data_); }

}  // namespace fairfs::probe
