// The modelled disk as a file: DIR/disk, with DIR/accounts and DIR/control beside it.
#pragma once

#define FUSE_USE_VERSION 314
#include <fuse_lowlevel.h>
#include <signal.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tests/diskemu/accounts.h"
#include "tests/diskemu/contents.h"
#include "tests/diskemu/control.h"
#include "tests/diskemu/device.h"
#include "tests/diskemu/unflushed.h"

namespace fairfs::test {

struct DiskConfig {
  std::string directory;   ///< where to mount
  std::string model;       ///< see make_device
  std::uint64_t size = 0;  ///< bytes, a multiple of 4096
  std::string store;       ///< file that keeps the contents; empty: memory
  double slowness = 1;     ///< to begin with; 0 while a test prepares its files
};

/// One thread does everything: it takes all requests that have come, hands them to the model, sleeps until the next is
/// due or another one comes, and answers. A thread for the answers would cost a hand-over for each request.
class DiskMount {
 public:
  /// Mounts; throws std::system_error or std::invalid_argument naming what failed.
  explicit DiskMount(const DiskConfig& config);
  ~DiskMount();
  DiskMount(const DiskMount&) = delete;
  DiskMount& operator=(const DiskMount&) = delete;

  /// Serves until it is unmounted or told to end by SIGINT, SIGTERM or SIGHUP.
  void run();

  // For the handlers of FUSE requests.
  void submit(fuse_req_t request, IoKind kind, std::uint64_t offset, std::uint64_t bytes);
  /// 0 or a negative errno, for the order or orders in `text`.
  int execute(std::string_view text);
  [[nodiscard]] std::string accounts_text();
  [[nodiscard]] std::string control_text() const { return control_.text(); }
  [[nodiscard]] const Contents& contents() const { return contents_; }
  void write(const char* data, std::uint64_t bytes, std::uint64_t offset);
  void discard(std::uint64_t offset, std::uint64_t bytes);

 private:
  struct Pending {
    fuse_req_t request = nullptr;
    IoRequest io;
    std::uint64_t flush_mark = 0;
  };
  struct SessionDeleter {
    void operator()(fuse_session* session) const { fuse_session_destroy(session); }
  };

  void wait(const sigset_t& signals);
  void receive_all();
  void answer_due();
  void answer(const Pending& pending);
  void abandon_pending();

  Contents contents_;
  Unflushed unflushed_;
  std::unique_ptr<Device> device_;
  Accounts accounts_;
  Control control_{*device_, accounts_};
  std::vector<Pending> pending_;     // a request's id is its index
  std::vector<std::uint64_t> free_;  // indices nobody uses
  Outcome outcome_;
  fuse_buf buffer_{};  // of the request being received
  std::unique_ptr<fuse_session, SessionDeleter> session_;
};

/// The handlers; their user data is the DiskMount.
const fuse_lowlevel_ops& disk_operations();

}  // namespace fairfs::test
