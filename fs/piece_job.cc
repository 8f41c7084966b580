#include "fs/piece_job.h"

#include <algorithm>
#include <span>
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
    if (work_.piece.spans.size() > 1)  // all at once, so that the disk has a choice
      each_file([this](DirtyFile& file, auto spans) { file.start(work_.how, spans); });
    each_file([this](DirtyFile& file, auto spans) { file.finish(work_.how, spans); });
    return static_cast<ssize_t>(work_.piece.bytes);
  }

  void finish(ssize_t) noexcept override {
    work_.files.clear();  // closes files before those who wait for room are told
    ended_(work_.piece);
  }

 private:
  /// Calls `write` with each file and its spans that follow each other.
  template <typename Write>
  void each_file(Write write) {
    std::span<const sched::FileSpan> left = work_.piece.spans;
    for (std::size_t i = 0; !left.empty();) {
      const auto other = std::find_if(left.begin(), left.end(), [&](auto& each) { return each.file != left[0].file; });
      const auto count = static_cast<std::size_t>(other - left.begin());
      write(*work_.files[i], left.first(count));
      left = left.subspan(count);
      i += count;
    }
  }

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
