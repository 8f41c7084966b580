#include "fs/identity.h"

#include <linux/capability.h>
#include <sched.h>
#include <sys/fsuid.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>

namespace fairfs::fs::identity {
namespace {

/// The capabilities of one thread; libc has no calls for them, and those of libcap are no better.
struct Capabilities {
  std::array<__user_cap_data_struct, _LINUX_CAPABILITY_U32S_3> words{};

  void read() noexcept { call(SYS_capget); }
  void write() noexcept { call(SYS_capset); }
  [[nodiscard]] Capabilities none_effective() const noexcept {
    Capabilities none = *this;
    for (auto& word : none.words) word.effective = 0;
    return none;
  }
  [[nodiscard]] bool effective(unsigned capability) const noexcept {
    return (words[CAP_TO_INDEX(capability)].effective & CAP_TO_MASK(capability)) != 0;
  }

 private:
  void call(long number) noexcept {
    __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    ::syscall(number, &header, words.data());
  }
};

struct Thread {
  Capabilities capabilities;
  bool may_change = false;  ///< be somebody else
  uid_t user = 0;
  gid_t group = 0;

  Thread() noexcept {
    // The umask lives in what CLONE_FS shares. This needs no right and fails only without memory.
    ::unshare(CLONE_FS);
    capabilities.read();
    may_change = capabilities.effective(CAP_SETUID) && capabilities.effective(CAP_SETGID);
    user = ::geteuid();
    group = ::getegid();
  }
};

Thread& this_thread() noexcept {
  thread_local Thread thread;
  return thread;
}

}  // namespace

void prepare_thread() noexcept { this_thread(); }

// setfsuid and setfsgid change the calling thread alone, unlike libc's other set*id. When the user stops being 0 the
// kernel takes the capabilities over files out of the effective set, and puts them back when 0 returns.
AsCaller::AsCaller(fuse_req_t req, Rights rights) noexcept {
  Thread& thread = this_thread();
  const fuse_ctx& caller = *fuse_req_ctx(req);
  old_mask_ = ::umask(caller.umask);
  if (!thread.may_change) return;
  if (caller.gid != thread.group) {
    ::setfsgid(caller.gid);
    group_changed_ = true;
  }
  if (caller.uid != thread.user) {
    ::setfsuid(caller.uid);
    user_changed_ = true;
    // Set-group-id bits were already taken off where the caller may not set them, so CAP_FSETID may stay too.
    if (rights == Rights::kept)
      thread.capabilities.write();
    else
      thread.capabilities.none_effective().write();
  }
}

AsCaller::~AsCaller() {
  Thread& thread = this_thread();
  if (user_changed_) {
    ::setfsuid(thread.user);
    thread.capabilities.write();  // after Rights::caller those come back, too, that aren't over files
  }
  if (group_changed_) ::setfsgid(thread.group);
  ::umask(old_mask_);
}

}  // namespace fairfs::fs::identity
