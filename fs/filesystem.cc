#include "fs/filesystem.h"

#include <malloc.h>
#include <poll.h>
#include <spdlog/spdlog.h>
#include <sys/eventfd.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>

#include "fs/buffer.h"
#include "fs/device.h"
#include "fs/held_payloads.h"
#include "fs/mount.h"
#include "fs/mounting.h"
#include "fs/receive_loop.h"
#include "fs/session.h"

namespace fairfs::fs {

namespace {

// Sequential readers keep two requests of half the largest size on the way. Where the disk serves several at once: of
// the largest (an eighth more at 3 GB/s), or as far as is read ahead on the disk itself, up to four of them (another
// eighth); beyond that nothing is gained. More than is good for the disk makes random mmap faults pay.
constexpr unsigned kReadaheadKib = 512, kReadaheadParallelKib = 1024, kReadaheadMostKib = 4096;

// A pause in the work shorter than this costs no fresh memory after it.
constexpr int kTrimEvery_ms = 5'000;

UniqueFd make_event() {
  UniqueFd event{::eventfd(0, EFD_CLOEXEC)};
  if (!event) throw std::system_error(errno, std::generic_category(), "making an eventfd");
  return event;
}

void raise(const UniqueFd& event) noexcept {
  const std::uint64_t one = 1;
  if (::write(event.get(), &one, sizeof one) < 0) return;  // only when it is raised 2^64 times
}

// Less work than this between two looks is none: the allocator's free memory is given back, during which threads that
// allocate wait, for milliseconds when a million files are known.
constexpr auto kIdle = std::chrono::milliseconds{100};

std::chrono::nanoseconds processor_time() noexcept {
  timespec used{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return std::chrono::seconds{used.tv_sec} + std::chrono::nanoseconds{used.tv_nsec};
}

/// Returns when `event` has been raised; until then gives memory back that nobody has needed for a while.
void await(const UniqueFd& event) noexcept {
  pollfd raised{event.get(), POLLIN, 0};
  auto before = processor_time();
  bool worked = false;
  while (::poll(&raised, 1, kTrimEvery_ms) <= 0) {
    BufferPool::instance().trim();
    const auto now = processor_time();
    const bool works = now - before > kIdle;
    before = now;
    if (worked && !works) ::malloc_trim(0);
    worked = works;
  }
}

}  // namespace

struct Filesystem::State {
  State(const MountConfig& config, engine::Engine& engine, unsigned depth)
      : engine(engine),
        mount(config, engine),
        session(mount),
        device(::geteuid() == 0 ? Device::open() : Device::adopt(session.mount_as_user(config.mountpoint))),
        loop(
            device, engine, [this](Message& message) { session.handle(message); }, depth) {
    if (::geteuid() == 0) mount_as_root(config, device.descriptor());
    mounted = true;
    loop.on_end = [this] { raise(end); };
  }

  /// For the mount, KiB.
  [[nodiscard]] unsigned readahead() const {
    if (engine.scheduler_config().profile.idle) return kReadaheadKib;
    return std::clamp(readahead_of(mount.root->key.device), kReadaheadParallelKib, kReadaheadMostKib);
  }

  engine::Engine& engine;
  UniqueFd end = make_event();  ///< raised to end `serve`
  Mount mount;
  Session session;
  Device device;
  ReceiveLoop loop;
  bool mounted = false;
};

Filesystem::Filesystem(const MountConfig& config, engine::Engine& engine)
    : state_(std::make_unique<State>(config, engine, engine.snapshot().depth)) {
  State& state = *state_;
  try {
    state.device.connect();
    state.session.attach(state.device);
    state.mount.own_device = mounted_device(config.mountpoint);
    state.mount.kernel_cache.begin(state.mount.own_device);
  } catch (...) {
    unmount(config.mountpoint);
    throw;
  }
}

Filesystem::~Filesystem() {
  if (state_->mounted) unmount_device(state_->mount.own_device, state_->mount.config.mountpoint);
}

int Filesystem::serve(const std::function<void()>& ready) {
  State& state = *state_;
  state.loop.start();
  // Asks the mount itself, so it takes a thread that may wait for an answer of ours.
  std::thread asker;
  try {
    asker = std::thread([&] {
      struct statvfs status;
      // An error is an answer, too: whoever waits for the word (no memory for this one request) must get it.
      const bool answered = ::statvfs(state.mount.config.mountpoint.c_str(), &status) == 0 ||
                            (errno != ENOTCONN && errno != ECONNABORTED && errno != ENODEV);
      if (!answered) return;
      // After INIT, which sets it too.
      set_readahead(state.mount.own_device, state.readahead());
      ready();
    });
  } catch (...) {
    // Those who serve hold the mount, and go before what they use.
    unmount_device(state.mount.own_device, state.mount.config.mountpoint);
    state.mounted = false;
    state.loop.stop();
    throw;
  }
  await(state.end);
  if (state.loop.ended() == 0) unmount_device(state.mount.own_device, state.mount.config.mountpoint);
  state.mounted = false;
  asker.join();
  state.loop.stop();  // first, or those who still have files open would keep us here
  state.mount.write_behind.drain();
  state.engine.drain();
  const int error = state.loop.ended();
  return error == ENODEV ? 0 : error;
}

void Filesystem::stop() noexcept { raise(state_->end); }

void Filesystem::abandon() noexcept { Device::close_all(); }

std::uint64_t Filesystem::held_bytes() noexcept { return HeldPayloads::instance().bytes(); }

}  // namespace fairfs::fs
