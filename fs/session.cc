#include "fs/session.h"

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/uio.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "fs/kernel_order.h"
#include "fs/mount.h"
#include "fs/operations.h"
#include "fs/raw_requests.h"
#include "fs/reader_pool.h"
#include "fs/serving_thread.h"

namespace fairfs::fs {

namespace {

// The kernel keeps the readahead and direct requests beyond this many to itself, where weights don't count and even
// reads of cached pages wait behind those that need the disk: so more than the queue ever holds in practice (a thousand
// waiting readers, or a depth of 64 from each of 64 programs).
constexpr unsigned kBackgroundMax = 4096;

void op_init(void*, fuse_conn_info* connection) {
  connection->max_background = kBackgroundMax;
  connection->congestion_threshold = kBackgroundMax * 3 / 4;
  connection->max_write = kPayloadMax;
  const auto want = [connection](unsigned capability) { connection->want |= connection->capable & capability; };
  want(FUSE_CAP_DONT_MASK | FUSE_CAP_POSIX_ACL | FUSE_CAP_IOCTL_DIR | FUSE_CAP_ASYNC_READ | FUSE_CAP_ASYNC_DIO |
       FUSE_CAP_ATOMIC_O_TRUNC | FUSE_CAP_AUTO_INVAL_DATA | FUSE_CAP_PARALLEL_DIROPS | FUSE_CAP_READDIRPLUS |
       FUSE_CAP_READDIRPLUS_AUTO | FUSE_CAP_CACHE_SYMLINKS);
  // The kernel clears setuid and setgid itself; locks stay in the kernel; with write-back caching nobody would know
  // whose a write is.
  connection->want &= ~(FUSE_CAP_HANDLE_KILLPRIV | FUSE_CAP_WRITEBACK_CACHE | FUSE_CAP_FLOCK_LOCKS |
                        FUSE_CAP_POSIX_LOCKS | FUSE_CAP_SPLICE_READ | FUSE_CAP_SPLICE_WRITE | FUSE_CAP_SPLICE_MOVE);
}

fuse_lowlevel_ops operations() {
  fuse_lowlevel_ops ops{};
  ops.init = op_init;
  ops.lookup = op_lookup;
  ops.forget = op_forget;
  ops.forget_multi = op_forget_multi;
  ops.getattr = op_getattr;
  ops.setattr = op_setattr;
  ops.readlink = op_readlink;
  ops.mknod = op_mknod;
  ops.mkdir = op_mkdir;
  ops.unlink = op_unlink;
  ops.rmdir = op_rmdir;
  ops.symlink = op_symlink;
  ops.rename = op_rename;
  ops.link = op_link;
  ops.open = op_open;
  ops.create = op_create;
  ops.read = op_read;
  ops.write = op_write;
  ops.flush = op_flush;
  ops.release = op_release;
  ops.fsync = op_fsync;
  ops.opendir = op_opendir;
  ops.readdir = op_readdir;
  ops.readdirplus = op_readdirplus;
  ops.releasedir = op_releasedir;
  ops.fsyncdir = op_fsyncdir;
  ops.statfs = op_statfs;
  ops.setxattr = op_setxattr;
  ops.getxattr = op_getxattr;
  ops.listxattr = op_listxattr;
  ops.removexattr = op_removexattr;
  ops.fallocate = op_fallocate;
  ops.copy_file_range = op_copy_file_range;
  ops.lseek = op_lseek;
  ops.ioctl = op_ioctl;
  return ops;
}

ssize_t send(int fd, iovec* parts, int count, void*) {
  amend_init_answer(serving_thread().message, parts, count);
  const int origin = serving_thread().reply_to;
  // Now, not when the system call is over: whoever is woken by it runs at once, and may ask again.
  if (ReaderPool* const pool = std::exchange(serving_thread().returns_to, nullptr)) pool->enter_at_once();
  before_answer();
  return ::writev(origin >= 0 ? origin : fd, parts, count);
}

/// libfuse insists on one; messages are read by the receive loop.
ssize_t receive(int, void*, size_t, void*) {
  errno = ENOSYS;
  return -1;
}

/// For fusermount3, which has words where mount(2) has flags; nosuid and nodev it adds by itself.
std::string mount_words(unsigned long flags) {
  constexpr std::pair<unsigned long, const char*> kWords[] = {{MS_RDONLY, ",ro"},
                                                              {MS_NOEXEC, ",noexec"},
                                                              {MS_NOATIME, ",noatime"},
                                                              {MS_SYNCHRONOUS, ",sync"},
                                                              {MS_DIRSYNC, ",dirsync"}};
  std::string words;
  for (const auto& [flag, word] : kWords) {
    if ((flags & flag) != 0) words += word;
  }
  return words;
}

}  // namespace

void Session::Destroy::operator()(fuse_session* session) const noexcept { fuse_session_destroy(session); }

Session::Session(Mount& mount) : mount_(mount) {
  const std::string& name = mount.config.fsname.empty() ? mount.config.source : mount.config.fsname;
  std::string options = "-osubtype=fairfs,default_permissions" + mount_words(mount.config.mount_flags) + ",fsname=";
  for (const char letter : name) {
    if (letter == ',' || letter == '\\') options += '\\';
    options += letter;
  }
  std::string program = "fairfs", debug = "-d";
  char* arguments[] = {program.data(), options.data(), debug.data(), nullptr};
  fuse_args args = FUSE_ARGS_INIT(mount.config.debug ? 3 : 2, arguments);
  const fuse_lowlevel_ops ops = operations();
  session_.reset(fuse_session_new(&args, &ops, sizeof ops, &mount));
  fuse_opt_free_args(&args);
  if (!session_) throw std::system_error(EINVAL, std::generic_category(), "making the libfuse session for " + name);
}

UniqueFd Session::mount_as_user(const std::string& mountpoint) {
  const auto fail = [](int error, const std::string& what) -> void {
    throw std::system_error(error, std::generic_category(), what);
  };
  if (::access("/dev/fuse", R_OK | W_OK) != 0) fail(errno, "opening /dev/fuse");
  if (fuse_session_mount(session_.get(), mountpoint.c_str()) != 0)
    fail(EPERM, "mounting on " + mountpoint + " through fusermount3 (which says why when fairfs runs with -f)");
  return UniqueFd{::fcntl(fuse_session_fd(session_.get()), F_DUPFD_CLOEXEC, 3)};
}

void Session::attach(const Device& device) {
  // libfuse closes the descriptor it is given when the session ends: a duplicate.
  const int duplicate = ::fcntl(device.descriptor(), F_DUPFD_CLOEXEC, 3);
  fuse_custom_io io{};
  io.writev = send;
  io.read = receive;
  if (duplicate < 0 || fuse_session_custom_io(session_.get(), &io, duplicate) != 0)
    throw std::system_error(errno, std::generic_category(), "attaching libfuse to /dev/fuse");
}

void Session::handle(Message& message) {
  ServingThread& thread = serving_thread();
  thread.reply_to = message.origin();
  thread.message = &message;
  if (answer_raw(mount_, message)) {
    thread.message = nullptr;
    return;
  }
  const fuse_buf buffer{.size = message.size(), .flags = fuse_buf_flags{}, .mem = message.data(), .fd = -1, .pos = 0};
  fuse_session_process_buf(session_.get(), &buffer);
  thread.message = nullptr;
}

}  // namespace fairfs::fs
