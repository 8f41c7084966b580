#include "fs/piece_job.h"

#include <utility>

namespace fairfs::fs {
namespace {

class PieceJob final : public engine::Job {
 public:
  PieceJob(PieceWork work, std::function<void()> started, std::function<void(const sched::Piece&)> ended)
      : work_(std::move(work)), started_(std::move(started)), ended_(std::move(ended)) {
    flow = work_.flow;
    operation = sched::Operation::write;
    inode = static_cast<std::uint64_t>(work_.piece.spans.front().file);
    number = work_.files.front()->inode().key.number;
    offset = work_.piece.spans.front().span.offset;
    bytes = work_.piece.bytes;
    bounded_wait = true;  // a writer that holds its inode's lock in the kernel may wait for it
    buffered = true;
  }

  ssize_t run() noexcept override {
    started_();
    const auto& spans = work_.piece.spans;
    if (spans.size() > 1)  // all at once, so that the disk has a choice
      for (std::size_t i = 0; i < spans.size(); ++i) work_.files[i]->start(work_.how, spans[i].span);
    for (std::size_t i = 0; i < spans.size(); ++i) work_.files[i]->finish(work_.how, spans[i].span);
    return static_cast<ssize_t>(work_.piece.bytes);
  }

  void finish(ssize_t) noexcept override {
    work_.files.clear();  // closes files before those who wait for room are told
    ended_(work_.piece);
  }

 private:
  PieceWork work_;
  const std::function<void()> started_;
  const std::function<void(const sched::Piece&)> ended_;
};

}  // namespace

std::unique_ptr<engine::Job> make_piece_job(PieceWork work, std::function<void()> started,
                                            std::function<void(const sched::Piece&)> ended) {
  return std::make_unique<PieceJob>(std::move(work), std::move(started), std::move(ended));
}

}  // namespace fairfs::fs
