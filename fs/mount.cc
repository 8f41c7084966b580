#include "fs/mount.h"

#include <fcntl.h>
#include <spdlog/spdlog.h>
#include <sys/resource.h>
#include <sys/statvfs.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <system_error>

#include "fs/local_disk.h"
#include "fs/sys.h"

namespace fairfs::fs {
namespace {

/// What one request that met the end of the descriptors frees: for itself and those beside it.
constexpr std::size_t kFreedAtOnce = 64;

/// Fewer open files than that are no use to anybody.
constexpr std::size_t kHandlesLeast = 16;

UniqueFd opened(const std::string& path) {
  UniqueFd fd = sys::open_at(AT_FDCWD, path.c_str(), O_PATH | O_DIRECTORY);
  if (!fd) throw std::system_error(-fd.error(), std::generic_category(), "open " + path);
  return fd;
}

std::size_t descriptor_limit() noexcept {
  rlimit limit{};
  constexpr std::size_t kUsual = 1024;
  return ::getrlimit(RLIMIT_NOFILE, &limit) == 0 ? static_cast<std::size_t>(limit.rlim_cur) : kUsual;
}

}  // namespace

Mount::Mount(const MountConfig& settings, engine::Engine& scheduler)
    : config(settings),
      engine(scheduler),
      proc_fd(opened("/proc/self/fd")),
      plan(DescriptorPlan::of(descriptor_limit())),
      handles(plan.handles, ::geteuid()),
      kernel_cache(config.mountpoint),
      space_ahead(inodes, {.source = opened(config.source).get(),
                           .proc_fd = proc_fd.get(),
                           .wanted = config.write_behind && scheduler.scheduler_config().policy != sched::Policy::off}),
      write_behind(scheduler, inodes,
                   {proc_fd.get(), config.write_behind ? write_out_of(opened(config.source).get()) : WriteOut::ranges,
                    config.write_behind}),
      relief_([this] { return relieve(); }) {
  if (plan.handles < kHandlesLeast)
    throw std::system_error(EMFILE, std::generic_category(),
                            "a limit of " + std::to_string(plan.limit) + " descriptors leaves " +
                                std::to_string(plan.handles) + " for open files; allow 1024 (ulimit -n, LimitNOFILE=)");
  UniqueFd source = opened(config.source);
  source_is_local = is_local(source.get());
  sys::Status status;
  if (const int error = sys::status(source.get(), sys::Freshness::current, status); error < 0)
    throw std::system_error(-error, std::generic_category(), "stat " + config.source);
  const struct stat& found = status.attributes;
  root_mount = status.mount;
  other_disks.emplace(found.st_dev, config.on_another_disk);
  const UniqueFd top{::fcntl(source.get(), F_DUPFD_CLOEXEC, 0)};
  root = &inodes.look_up(
      std::move(source),
      {.key = {.device = found.st_dev, .number = found.st_ino}, .type = found.st_mode & S_IFMT, .birth = status.birth});
  if (top && !inodes.bound_descriptors(plan.lent, top))
    spdlog::debug("{}: files can't be opened by handle, so each one the kernel knows holds a descriptor",
                  config.source);
  inodes.lend_more(plan.spare(0, 0));
}

bool Mount::relieve() noexcept {
  if (inodes.free_descriptors(kFreedAtOnce) != 0) return true;
  const std::size_t before = inodes.kept();
  return kernel_cache.drop_until([&] { return inodes.kept() < before; });
}

void Mount::tell_direct_refused() noexcept {
  if (direct_told_.test_and_set()) return;
  spdlog::info("{}: a file system there refuses O_DIRECT: such files are read and written through the page cache",
               config.source);
}

HandleSeat take_seat(fuse_req_t req) {
  Mount& mount = mount_of(req);
  const fuse_ctx& caller = *fuse_req_ctx(req);
  HandleSeat seat = mount.handles.take(caller.uid);
  if (seat) {
    mount.inodes.lend_more(mount.plan.spare(mount.handles.taken(), mount.inodes.kept()));
    return seat;
  }
  const auto line =
      mount.refusals.refused(mount.handles, caller.uid, caller.pid, mount.plan.limit, std::chrono::steady_clock::now());
  if (line) spdlog::warn("{}: {}", mount.config.mountpoint, *line);
  return seat;
}

InodeKey key_of(const Mount& mount, int fd, const sys::Status& status) noexcept {
  InodeKey key{.device = status.attributes.st_dev, .number = status.attributes.st_ino};
  if (status.mount == mount.root_mount) return key;
  struct statfs found {};
  if (S_ISDIR(status.attributes.st_mode))
    key.view = status.mount;
  else if (::fstatfs(fd, &found) == 0 && (found.f_flags & ST_RDONLY) != 0)
    key.view = InodeKey::kReadOnly;
  return key;
}

ino_t visible_number(const Mount& mount, const InodeKey& key) noexcept {
  if (key.device == mount.root->key.device) return key.number;
  // The upper half of a number is seldom used: the device goes there, spread by Fibonacci hashing.
  return key.number ^ ((key.device * 0x9E3779B97F4A7C15U) & 0xFFFF'FFFF'0000'0000U);
}

}  // namespace fairfs::fs
