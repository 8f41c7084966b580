// One turn of write-behind.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "fs/dirty_file.h"
#include "sched/engine/job.h"
#include "sched/write_behind.h"

namespace fairfs::fs {

struct PieceWork {
  engine::FlowRef flow;
  sched::Piece piece;
  std::vector<std::shared_ptr<DirtyFile>> files;  ///< one for each of the piece's spans
  WriteOut how = WriteOut::ranges;
};

/// Writes the piece in the flow's turn. `started` is called when it goes to the disk, `ended` when it is there; both
/// without any lock, from any thread.
[[nodiscard]] std::unique_ptr<engine::Job> make_piece_job(PieceWork work, std::function<void()> started,
                                                          std::function<void(const sched::Piece&)> ended);

}  // namespace fairfs::fs
