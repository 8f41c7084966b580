// Raw messages of the kernel's, with any bytes, answered by the real handlers over a scratch directory.
//
// What the kernel vouches for is put right first, since the product trusts it: numbers of nodes and handles, sizes that
// fit the message, names that are single components. What else stands in a message is the fuzzer's.
#include <fcntl.h>
#include <linux/fs.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fs/device.h"
#include "fs/message.h"
#include "fs/mount.h"
#include "fs/session.h"
#include "sched/engine/engine.h"

namespace {

using namespace fairfs;

constexpr std::size_t kBodyMax = 16 * 1024;
constexpr std::uint64_t kFileMax = 1 << 20;  // bytes: no message may fill the disk
constexpr std::size_t kNodesMax = 64;
constexpr unsigned kStatx = 52;

fs::MountConfig config_of(const std::string& directory) {
  fs::MountConfig config;
  config.source = config.mountpoint = directory;
  return config;
}

/// A mount without a kernel: messages go in at one end of a socket pair, answers come out of it.
class Peer {
 public:
  Peer() : directory_(make_directory()), mount_(config_of(directory_), engine_), session_(mount_) {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) std::abort();
    ours_ = ends[0];
    device_ = std::make_unique<fs::Device>(fs::Device::adopt(fs::UniqueFd{ends[1]}));
    session_.attach(*device_);
    fuse_init_in init{};
    init.major = FUSE_KERNEL_VERSION;
    init.minor = FUSE_KERNEL_MINOR_VERSION;
    init.max_readahead = 1 << 20;
    init.flags = ~(FUSE_INIT_EXT | FUSE_WRITEBACK_CACHE);
    send(FUSE_INIT, FUSE_ROOT_ID, {reinterpret_cast<const char*>(&init), sizeof init});
    const fuse_create_in create{.flags = O_RDWR, .mode = S_IFREG | 0644, .umask = 022, .open_flags = 0};
    std::string body{reinterpret_cast<const char*>(&create), sizeof create};
    send(FUSE_CREATE, FUSE_ROOT_ID, body + std::string("file\0", 5));
    if (!entry_ || !handle_) std::abort();
    file_ = *entry_;
    open_file();
    open_directory();
  }

  /// One message of the fuzzer's: the opcode's byte, the node's, then the body.
  void take(const std::uint8_t* data, std::size_t size) {
    if (size < 3) return;
    const std::uint32_t opcode = data[0];
    std::uint64_t node = nodes_[data[1] % nodes_.size()];
    std::string body{reinterpret_cast<const char*>(data + 2), std::min(size - 2, kBodyMax)};
    body.resize(std::max<std::size_t>(body.size(), 128) + 2, '\0');  // as the kernel's, names end
    body[body.size() - 1] = body[body.size() - 2] = '\0';
    if (!put_right(opcode, node, body)) return;
    send(opcode, node, body);
    if (opcode == FUSE_OPEN || opcode == FUSE_CREATE || opcode == FUSE_TMPFILE) release();
    if (opcode == FUSE_RELEASE) open_file();
    if (opcode == FUSE_RELEASEDIR) open_directory();
  }

 private:
  static std::string make_directory() {
    std::string name = std::filesystem::temp_directory_path() / "fairfs-fuzz-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    static std::string made;
    made = name;
    std::atexit([] { std::filesystem::remove_all(made); });
    const rlimit limit{kFileMax, kFileMax};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    ::signal(SIGXFSZ, SIG_IGN);
    return name;
  }

  template <class Body>
  static Body& as(std::string& body) {
    return *reinterpret_cast<Body*>(body.data());
  }

  /// Leaves `body` as some kernel could have sent it; false for what none sends to a mount twice.
  bool put_right(std::uint32_t opcode, std::uint64_t& node, std::string& body) {
    switch (opcode) {
      case FUSE_INIT:
      case FUSE_DESTROY:
      case FUSE_FORGET:  // the peer's nodes would be gone
      case FUSE_BATCH_FORGET:
      case FUSE_INTERRUPT:  // the receive loop keeps these to itself; libfuse would answer them with a later message
        return false;
      case FUSE_READ:
      case FUSE_WRITE:
        as<fuse_write_in>(body).size %= opcode == FUSE_WRITE ? body.size() - sizeof(fuse_write_in) : fs::kPayloadMax;
        as<fuse_write_in>(body).offset %= kFileMax;
        [[fallthrough]];
      case FUSE_FLUSH:
      case FUSE_RELEASE:
      case FUSE_FSYNC:
      case FUSE_LSEEK:
        return use_file(node, as<std::uint64_t>(body));
      case FUSE_FALLOCATE:
        as<fuse_fallocate_in>(body).offset %= kFileMax;
        as<fuse_fallocate_in>(body).length %= kFileMax;
        return use_file(node, as<std::uint64_t>(body));
      case FUSE_COPY_FILE_RANGE:
        as<fuse_copy_file_range_in>(body).fh_out = handle_of_file_;
        as<fuse_copy_file_range_in>(body).nodeid_out = file_;
        return use_file(node, as<std::uint64_t>(body));
      case FUSE_READDIR:
      case FUSE_READDIRPLUS:
        as<fuse_read_in>(body).size %= fs::kPayloadMax;
        [[fallthrough]];
      case FUSE_RELEASEDIR:
      case FUSE_FSYNCDIR:
        node = FUSE_ROOT_ID;
        as<std::uint64_t>(body) = handle_of_directory_;
        return true;
      case FUSE_GETATTR:
      case kStatx:
        return use_file(node, as<fuse_getattr_in>(body).fh);
      case FUSE_SETATTR:
        as<fuse_setattr_in>(body).size %= kFileMax;
        return use_file(node, as<fuse_setattr_in>(body).fh);
      case FUSE_IOCTL: {
        auto& in = as<fuse_ioctl_in>(body);
        in.in_size %= 64;
        in.out_size %= 4096;
        in.flags &= ~static_cast<std::uint32_t>(FUSE_IOCTL_DIR | FUSE_IOCTL_UNRESTRICTED);
        // Files that nobody can remove again.
        *reinterpret_cast<std::uint32_t*>(body.data() + sizeof in) &= ~0x38U;
        return use_file(node, in.fh);
      }
      case FUSE_GETXATTR:
      case FUSE_LISTXATTR:
        as<fuse_getxattr_in>(body).size %= 65536;
        return true;
      case FUSE_SETXATTR:
        // With the extended form off, names start behind the first eight bytes.
        as<std::uint32_t>(body) %= 64;
        return true;
      case FUSE_OPEN:
        as<fuse_open_in>(body).flags &= ~static_cast<std::uint32_t>(O_CREAT | O_TMPFILE);
        node = file_;
        return true;
      case FUSE_OPENDIR:
        node = FUSE_ROOT_ID;
        return true;
      case FUSE_MKNOD:
        as<fuse_mknod_in>(body).mode = S_IFREG | (as<fuse_mknod_in>(body).mode & 07777);
        break;
      case FUSE_LINK:
        as<fuse_link_in>(body).oldnodeid = file_;
        break;
      case FUSE_RENAME:
      case FUSE_RENAME2:
        as<std::uint64_t>(body) = FUSE_ROOT_ID;  // the new directory
        break;
      default:
        break;
    }
    // The rest is names: never a path, and never out of the scratch directory.
    const std::size_t numbers = numbers_before_name(opcode);
    std::replace(body.begin() + static_cast<std::ptrdiff_t>(numbers), body.end(), '/', '_');
    std::replace(body.begin() + static_cast<std::ptrdiff_t>(numbers), body.end(), '.', '_');
    return true;
  }

  static std::size_t numbers_before_name(std::uint32_t opcode) {
    switch (opcode) {
      case FUSE_MKNOD:
        return sizeof(fuse_mknod_in);
      case FUSE_MKDIR:
        return sizeof(fuse_mkdir_in);
      case FUSE_CREATE:
      case FUSE_TMPFILE:
        return sizeof(fuse_create_in);
      case FUSE_LINK:
        return sizeof(fuse_link_in);
      case FUSE_RENAME:
        return sizeof(fuse_rename_in);
      case FUSE_RENAME2:
        return sizeof(fuse_rename2_in);
      default:
        return 0;
    }
  }

  bool use_file(std::uint64_t& node, std::uint64_t& handle) const {
    node = file_;
    handle = handle_of_file_;
    return true;
  }

  void open_file() {
    const fuse_open_in open{.flags = O_RDWR, .open_flags = 0};
    send(FUSE_OPEN, file_, {reinterpret_cast<const char*>(&open), sizeof open});
    handle_of_file_ = handle_.value_or(handle_of_file_);
  }
  /// What a message of the fuzzer's has opened is closed again, or descriptors would run out.
  void release() {
    if (!handle_) return;
    const fuse_release_in in{.fh = *handle_, .flags = 0, .release_flags = 0, .lock_owner = 0};
    send(FUSE_RELEASE, file_, {reinterpret_cast<const char*>(&in), sizeof in});
  }
  void open_directory() {
    const fuse_open_in open{};
    send(FUSE_OPENDIR, FUSE_ROOT_ID, {reinterpret_cast<const char*>(&open), sizeof open});
    handle_of_directory_ = handle_.value_or(handle_of_directory_);
  }

  void send(std::uint32_t opcode, std::uint64_t node, const std::string& body) {
    fuse_in_header header{};
    header.len = static_cast<std::uint32_t>(sizeof header + body.size());
    header.opcode = opcode;
    header.unique = ++unique_;
    header.nodeid = node;
    header.pid = static_cast<std::uint32_t>(::getpid());
    const std::string message = std::string{reinterpret_cast<const char*>(&header), sizeof header} + body;
    if (::send(ours_, message.data(), message.size(), 0) < 0) std::abort();
    if (message_.receive(*device_, fs::Device::Wait::yes) <= 0) std::abort();
    session_.handle(message_);
    engine_.run();
    engine_.drain();
    hear(opcode);
  }

  /// Learns nodes and handles from the answers. More than one answer, or one to nothing asked, is a finding.
  void hear(std::uint32_t opcode) {
    entry_.reset();
    handle_.reset();
    std::vector<char> answer(sizeof(fuse_out_header) + sizeof(fuse_entry_out) + sizeof(fuse_open_out));
    int answers = 0;
    for (ssize_t size; (size = ::recv(ours_, answer.data(), answer.size(), MSG_DONTWAIT)) > 0;) {
      fuse_out_header header{};
      std::memcpy(&header, answer.data(), sizeof header);
      if (header.unique == 0 && header.error == FUSE_NOTIFY_INVAL_INODE) continue;  // no answer, and unasked
      if (++answers > 1) std::abort();
      if (header.unique != unique_ || header.error > 0) std::abort();
      if (header.error == 0) learn(opcode, answer.data() + sizeof header);
    }
  }

  void learn(std::uint32_t opcode, const char* body) {
    fuse_entry_out entry{};
    fuse_open_out open{};
    switch (opcode) {
      case FUSE_CREATE:
      case FUSE_TMPFILE:
        std::memcpy(&open, body + sizeof entry, sizeof open);
        handle_ = open.fh;
        [[fallthrough]];
      case FUSE_LOOKUP:
      case FUSE_MKNOD:
      case FUSE_MKDIR:
      case FUSE_SYMLINK:
      case FUSE_LINK:
        std::memcpy(&entry, body, sizeof entry);
        entry_ = entry.nodeid;
        if (nodes_.size() < kNodesMax && entry.nodeid != 0) nodes_.push_back(entry.nodeid);
        break;
      case FUSE_OPEN:
      case FUSE_OPENDIR:
        std::memcpy(&open, body, sizeof open);
        handle_ = open.fh;
        break;
      default:
        break;
    }
  }

  std::string directory_;
  engine::Engine engine_{engine::EngineConfig{}};
  fs::Mount mount_;
  fs::Session session_;
  std::unique_ptr<fs::Device> device_;
  fs::Message message_;
  int ours_ = -1;
  std::uint64_t unique_ = 0, file_ = 0, handle_of_file_ = 0, handle_of_directory_ = 0;
  std::optional<std::uint64_t> entry_, handle_;
  std::vector<std::uint64_t> nodes_{FUSE_ROOT_ID};
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static auto* const peer = new Peer;  // for the whole run: making one costs threads
  peer->take(data, size);
  return 0;
}
