#include "fs/turn.h"

#include <utility>

#include "fs/serving_thread.h"

namespace fairfs::fs {

void await_turn(Mount& mount, const Inode& inode, std::unique_ptr<engine::Job> job) {
  if (inode.apart) return job->finish(job->run());
  serving_thread().submitted = true;
  mount.engine.submit(std::move(job));
}

}  // namespace fairfs::fs
