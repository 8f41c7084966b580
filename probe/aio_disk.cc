#include "probe/aio_disk.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <ctime>
#include <system_error>

#include "probe/traffic.h"

namespace fairfs::probe {

AioDisk::AioDisk(const Area& read, const Area& write) : read_(read), write_(write) {
  if (const int error = io_setup(kDepthMax, &context_); error < 0) {
    throw std::system_error(-error, std::generic_category(), "io_setup (raise fs.aio-max-nr)");
  }
}

AioDisk::~AioDisk() { io_destroy(context_); }

Time AioDisk::now() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  return Time{std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec}};
}

std::uint64_t AioDisk::span(Operation operation) const {
  return operation == Operation::read ? read_.bytes() : write_.bytes();
}

std::uint64_t AioDisk::device_bytes() { return own_traffic().value_or(transferred_); }

void AioDisk::start(std::span<const Transfer> transfers) {
  batch_.clear();
  for (const Transfer& transfer : transfers) {
    iocb& block = blocks_[transfer.slot];
    transfers_[transfer.slot] = transfer;
    const Area& area = transfer.operation == Operation::read ? read_ : write_;
    const auto [file, place] = area.place(transfer.offset, transfer.bytes);
    const auto offset = static_cast<long long>(place);
    switch (transfer.operation) {
      case Operation::read:
        io_prep_pread(&block, file, sink_.data(), transfer.bytes, offset);
        break;
      case Operation::write:
        io_prep_pwrite(&block, file, noise_.data(), transfer.bytes, offset);
        break;
      case Operation::sync:
        io_prep_fsync(&block, file);
        break;
    }
    batch_.push_back(&block);
  }
  for (std::size_t next = 0; next < batch_.size();) {
    const int taken = io_submit(context_, static_cast<long>(batch_.size() - next), &batch_[next]);
    if (taken > 0) {
      next += static_cast<std::size_t>(taken);
      continue;
    }
    const auto slot = static_cast<std::uint32_t>(batch_[next] - blocks_.data());
    refused_.push_back({slot, taken < 0 ? -taken : EAGAIN});
    ++next;
  }
}

void AioDisk::wait(Time deadline, std::vector<Ended>& ended) {
  if (!refused_.empty()) {
    ended.insert(ended.end(), refused_.begin(), refused_.end());
    refused_.clear();
    return;
  }
  const auto left = std::max(Duration::zero(), deadline - now());
  timespec timeout{left / std::chrono::seconds{1}, (left % std::chrono::seconds{1}).count()};
  std::array<io_event, kDepthMax> events;
  const int count = io_getevents(context_, 1, kDepthMax, events.data(), &timeout);
  for (int i = 0; i < count; ++i) {
    const io_event& event = events[static_cast<std::size_t>(i)];
    const auto slot = static_cast<std::uint32_t>(event.obj - blocks_.data());
    const auto result = static_cast<long>(event.res);
    const auto wanted = transfers_[slot].operation == Operation::sync ? 0 : static_cast<long>(transfers_[slot].bytes);
    if (result > 0) transferred_ += static_cast<std::uint64_t>(result);
    ended.push_back({slot, result < 0 ? static_cast<int>(-result) : result != wanted ? EIO : 0});
  }
}

}  // namespace fairfs::probe
