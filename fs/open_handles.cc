#include "fs/open_handles.h"

namespace fairfs::fs {

OpenHandle::OpenHandle(OpenHandles& all) noexcept : all_(all) {
  const std::lock_guard lock{all_.mutex_};
  behind_ = all_.first_;
  if (behind_ != nullptr) behind_->before_ = this;
  all_.first_ = this;
}

OpenHandle::~OpenHandle() {
  const std::lock_guard lock{all_.mutex_};
  (before_ != nullptr ? before_->behind_ : all_.first_) = behind_;
  if (behind_ != nullptr) behind_->before_ = before_;
}

OpenHandles::~OpenHandles() {
  while (first_ != nullptr) delete first_;
}

}  // namespace fairfs::fs
