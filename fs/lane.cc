#include "fs/lane.h"

#include <new>

#include "fs/handle.h"

namespace fairfs::fs {
namespace {

/// A forget doesn't block, and may free what it names.
bool is_apart(const fuse_in_header& header) noexcept {
  if (header.nodeid <= FUSE_ROOT_ID || header.opcode == FUSE_FORGET) return false;
  return reinterpret_cast<const Inode*>(static_cast<std::uintptr_t>(header.nodeid))->apart;
}

}  // namespace

LaneKind lane_of(const Message& message) noexcept {
  const fuse_in_header& header = message.header();
  if (is_apart(header)) return LaneKind::apart;
  switch (header.opcode) {
    case FUSE_READ:
    case FUSE_FSYNC:
    case FUSE_FSYNCDIR:
      return LaneKind::data;
    case FUSE_WRITE: {
      const auto& body = message.body<fuse_write_in>();
      if (header.pid == 0 || (body.write_flags & FUSE_WRITE_CACHE) != 0) return LaneKind::urgent;
      auto* handle = reinterpret_cast<FileHandle*>(static_cast<std::uintptr_t>(body.fh));
      handle->follow(static_cast<int>(body.flags));
      return handle->schedules_writes() ? LaneKind::data : LaneKind::write;
    }
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET:
    case FUSE_RELEASE:
    case FUSE_RELEASEDIR:
    case FUSE_INIT:
    case FUSE_DESTROY:
      return LaneKind::urgent;
    default:
      return LaneKind::metadata;
  }
}

bool Lane::enter(const Message& message) {
  const std::lock_guard lock{mutex_};
  if (taken_ < limit_) {
    ++taken_;
    return true;
  }
  try {
    waiting_.push_back({message.copy(), HeldPayloads::Part{message.size()}});
    return false;
  } catch (const std::bad_alloc&) {  // then one more than there should be at work
    ++taken_;
    return true;
  }
}

std::optional<Message> Lane::next() {
  const std::lock_guard lock{mutex_};
  if (waiting_.empty()) {
    --taken_;
    return std::nullopt;
  }
  std::optional<Message> message{std::move(waiting_.front().message)};
  waiting_.pop_front();
  return message;
}

}  // namespace fairfs::fs
