#include "tests/diskemu/disk_mount.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <sstream>
#include <stdexcept>
#include <system_error>

#include "tests/diskemu/model_spec.h"

namespace fairfs::test {
namespace {

// A saturated disk is looked after in batches, which makes answers late by up to kLateness but the disk no slower, and
// leaves processor time to what is tested: at 10,000 requests a second each wake-up counts. kDeafness keeps the times
// of arrival right to that much, and orders prompt.
constexpr Duration kLateness = std::chrono::microseconds{50}, kDeafness = std::chrono::milliseconds{1};

Time now() {
  timespec clock{};
  clock_gettime(CLOCK_MONOTONIC, &clock);
  return Time{std::chrono::seconds{clock.tv_sec} + Duration{clock.tv_nsec}};
}

fuse_session* new_session(DiskMount* mount) {
  const char* arguments[] = {"diskemu", "-ofsname=diskemu,subtype=diskemu"};
  fuse_args args = FUSE_ARGS_INIT(2, const_cast<char**>(arguments));
  fuse_session* session = fuse_session_new(&args, &disk_operations(), sizeof(fuse_lowlevel_ops), mount);
  if (session == nullptr) throw std::runtime_error("libfuse refuses a session");
  return session;
}

}  // namespace

DiskMount::DiskMount(const DiskConfig& config)
    : contents_{config.size, config.store}, device_{make_device(config.model, config.size)} {
  device_->set_slowness(config.slowness);
  std::ostringstream speed;
  speed << "slow " << config.slowness;
  if (!control_.execute(speed.str(), now())) throw std::invalid_argument("'" + speed.str() + "' is no speed");
  session_.reset(new_session(this));
  if (fuse_set_signal_handlers(session_.get()) != 0) throw std::runtime_error("cannot set signal handlers");
  if (fuse_session_mount(session_.get(), config.directory.c_str()) != 0) {
    throw std::system_error(errno, std::generic_category(), "mount the disk on " + config.directory);
  }
  const int device = fuse_session_fd(session_.get());
  fcntl(device, F_SETFL, fcntl(device, F_GETFL) | O_NONBLOCK);
}

DiskMount::~DiskMount() {
  abandon_pending();
  fuse_session_unmount(session_.get());
  fuse_remove_signal_handlers(session_.get());
  std::free(buffer_.mem);
}

void DiskMount::run() {
  // Signals arrive only while waiting, so that none falls between the check and the wait.
  sigset_t ending, before;
  sigemptyset(&ending);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&ending, signal);
  sigprocmask(SIG_BLOCK, &ending, &before);
  while (fuse_session_exited(session_.get()) == 0) {
    wait(before);
    receive_all();
    answer_due();
  }
  sigprocmask(SIG_SETMASK, &before, nullptr);
}

void DiskMount::wait(const sigset_t& signals) {
  pollfd arrivals{fuse_session_fd(session_.get()), POLLIN, 0};
  const Time next = control_.world_time(device_->next_event());
  if (next == kNever) {
    ppoll(&arrivals, 1, nullptr, &signals);
    return;
  }
  const Time moment = now();
  const bool deaf = device_->saturated();
  const Duration left = deaf ? std::min(next - moment + kLateness, kDeafness) : next - moment;
  if (left <= Duration{}) return;
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
  const timespec timeout{seconds.count(), (left - seconds).count()};
  ppoll(&arrivals, deaf ? 0 : 1, &timeout, &signals);
}

void DiskMount::receive_all() {
  while (fuse_session_exited(session_.get()) == 0) {
    if (fuse_session_receive_buf(session_.get(), &buffer_) <= 0) return;
    fuse_session_process_buf(session_.get(), &buffer_);
  }
}

void DiskMount::submit(fuse_req_t request, IoKind kind, std::uint64_t offset, std::uint64_t bytes) {
  if (free_.empty()) {
    free_.push_back(pending_.size());
    pending_.emplace_back();
  }
  const std::uint64_t id = free_.back();
  free_.pop_back();
  pending_[id] = {request, {id, kind, offset, bytes}, kind == IoKind::flush ? unflushed_.flushing() : 0};
  // It came while this thread slept, so before the event that ended the sleep.
  const Time moment = std::min(control_.disk_time(now()), device_->next_event());
  device_->advance(moment, outcome_);
  device_->submit(pending_[id].io, moment);
}

void DiskMount::write(const char* data, std::uint64_t bytes, std::uint64_t offset) {
  if (control_.is_cut()) return;
  unflushed_.changing(contents_, offset, bytes);
  contents_.write(data, bytes, offset);
}

void DiskMount::discard(std::uint64_t offset, std::uint64_t bytes) {
  if (control_.is_cut()) return;
  unflushed_.changing(contents_, offset, bytes);
  contents_.discard(offset, bytes);
}

void DiskMount::answer_due() {
  device_->advance(control_.disk_time(now()), outcome_);
  for (const Work& work : outcome_.work) accounts_.charge(work);
  for (const std::uint64_t id : outcome_.done) {
    answer(pending_[id]);
    pending_[id].request = nullptr;
    free_.push_back(id);
  }
  outcome_.work.clear();
  outcome_.done.clear();
}

void DiskMount::answer(const Pending& pending) {
  const IoRequest& io = pending.io;
  accounts_.count(io);
  if (control_.fails(io)) {
    fuse_reply_err(pending.request, EIO);
    return;
  }
  switch (io.kind) {
    case IoKind::read:
      fuse_reply_buf(pending.request, contents_.at(io.offset), io.bytes);
      return;
    case IoKind::write:
      fuse_reply_write(pending.request, io.bytes);
      return;
    case IoKind::flush:
      unflushed_.flushed(pending.flush_mark);
      fuse_reply_err(pending.request, 0);
      return;
  }
}

void DiskMount::abandon_pending() {
  for (Pending& pending : pending_) {
    if (pending.request != nullptr) fuse_reply_err(pending.request, EIO);
    pending.request = nullptr;
  }
}

int DiskMount::execute(std::string_view text) {
  answer_due();  // orders come after what is done already
  std::istringstream lines{std::string{text}};
  for (std::string line; std::getline(lines, line);) {
    const bool was_cut = control_.is_cut();
    if (!control_.execute(line, now())) return -EINVAL;
    if (control_.remembers()) unflushed_.remember();
    if (control_.is_cut() && !was_cut) unflushed_.drop(contents_);
  }
  return 0;
}

std::string DiskMount::accounts_text() {
  answer_due();
  return accounts_.text();
}

}  // namespace fairfs::test
