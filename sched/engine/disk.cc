#include "sched/engine/disk.h"

#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/eventfd.h>

#include <array>
#include <cstring>
#include <system_error>

namespace fairfs::engine {

Disk::Disk(unsigned depth, Ended ended) : ended_(std::move(ended)), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  if (!wake_) throw std::system_error(errno, std::generic_category(), "making an eventfd for the disk's thread");
  if (const int error = io_setup(static_cast<int>(depth) + 1, &context_); error < 0) {  // one is the wake-up's
    context_ = nullptr;
    spdlog::warn("no asynchronous I/O (io_setup: {}); raise fs.aio-max-nr. Going on with threads",
                 std::strerror(-error));
    return;
  }
  if (!watch_wake()) {
    io_destroy(context_);
    context_ = nullptr;
    spdlog::warn("no asynchronous I/O: this kernel can't poll through libaio (needs 4.18). Going on with threads");
    return;
  }
  thread_ = std::thread([this] { wait(); });
}

Disk::~Disk() {
  if (!available()) return;
  eventfd_write(wake_.get(), 1);
  thread_.join();
  io_destroy(context_);
}

std::size_t Disk::start(std::span<iocb*> blocks) noexcept {
  if (!available()) return blocks.size();
  submissions_.fetch_add(1, std::memory_order_release);
  std::size_t refused = 0;  // blocks[0, refused) were refused, blocks[next, ...) are still to be offered
  for (std::size_t next = 0; next < blocks.size();) {
    const int taken = io_submit(context_, static_cast<long>(blocks.size() - next), &blocks[next]);
    if (taken > 0) {
      next += static_cast<std::size_t>(taken);
    } else if (taken == -EAGAIN) {  // full: so it is for those behind
      while (next < blocks.size()) blocks[refused++] = blocks[next++];
    } else {  // the first one is not to the kernel's liking
      blocks[refused++] = blocks[next++];
    }
  }
  return refused;
}

void Disk::wait() {
  constexpr long kBatch = 64;  // ends that one lock of the engine then takes in
  std::array<io_event, kBatch> events;
  std::array<Completion, kBatch> completions;
  for (bool stopping = false; !stopping;) {
    const int count = io_getevents(context_, 1, kBatch, events.data(), nullptr);
    if (count == -EINTR) continue;
    if (count < 0) {
      spdlog::critical("waiting for asynchronous I/O: {}", std::strerror(-count));
      return;
    }
    (void)submissions_.load(std::memory_order_acquire);
    std::size_t ended = 0;
    for (int i = 0; i < count; ++i) {
      const io_event& event = events[static_cast<std::size_t>(i)];
      if (event.obj == &wake_block_)
        stopping = true;
      else
        completions[ended++] = {event.data, static_cast<ssize_t>(event.res)};
    }
    if (ended != 0) ended_({completions.data(), ended});
  }
}

bool Disk::watch_wake() {
  io_prep_poll(&wake_block_, wake_.get(), POLLIN);
  iocb* block = &wake_block_;
  return io_submit(context_, 1, &block) == 1;
}

}  // namespace fairfs::engine
