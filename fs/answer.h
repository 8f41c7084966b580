// What a job needs to answer its request later, from another thread.
#pragma once

#include <cstddef>

#include "fs/fuse.h"
#include "fs/serving_thread.h"

namespace fairfs::fs {

/// One answer to one request, exactly once. Made on the thread that read the request. Movable into a job; not
/// thread-safe.
class Answer {
 public:
  explicit Answer(fuse_req_t request) : request_(request), origin_(serving_thread().reply_to) {}

  void error(int code) const {
    route();
    fuse_reply_err(request_, code);
  }
  void bytes(const char* data, std::size_t size) const {
    route();
    fuse_reply_buf(request_, data, size);
  }
  void written(std::size_t size) const {
    route();
    fuse_reply_write(request_, size);
  }

 private:
  void route() const { serving_thread().reply_to = origin_; }

  fuse_req_t request_;
  Device::Origin origin_;
};

}  // namespace fairfs::fs
