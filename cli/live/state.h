// Everything the live view knows: what came from the daemons, and what the person at the keyboard chose.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/interval_view.h"
#include "cli/live/history.h"
#include "cli/live/rows.h"
#include "cli/rule_words.h"

namespace fairfs::cli {

/// One mount, as it was last seen.
struct LiveMount {
  std::string mountpoint;
  std::optional<StatReply> last;         ///< one reading
  std::optional<IntervalView> interval;  ///< between the last two
  sched::Time seen{};                    ///< of the last reading, by the daemon's clock
  LiveHistory history;
  std::string trouble;  ///< why there is nothing to see; empty: nothing is wrong
};

/// What is being typed at the bottom.
struct LivePrompt {
  enum class Kind : std::uint8_t { none, filter, weight, service, rule, delay, undo_all } kind = Kind::none;
  std::string text;
  // Of a change: the row that was chosen when the prompt was opened, wherever it is by now.
  RuleWords whom;
  std::string label;  ///< its name, for people
};

/// What covers the rows.
struct LivePage {
  enum class Kind : std::uint8_t { rows, help, alerts, overrides, explanation } kind = Kind::rows;
  std::size_t first = 0;           ///< line at the top
  std::vector<std::string> lines;  ///< of overrides and explanation
  std::vector<RuleWords> changes;  ///< of overrides, one a line
  std::size_t chosen = 0;          ///< of `changes`
};

struct LiveState {
  std::vector<LiveMount> mounts;
  std::size_t current = 0;
  LiveChoice choice;
  std::vector<LiveRow> rows;  ///< of the current mount
  std::string selected;       ///< id of a row; empty: whichever is at the top
  std::size_t first = 0;      ///< row at the top
  LivePage page;
  LivePrompt prompt;
  std::string message;      ///< outcome of the last thing done
  bool is_failure = false;  ///< of `message`
  bool paused = false;
  bool replayed = false;  ///< from a file: nothing can be changed
  double interval_s = 1.0;

  [[nodiscard]] LiveMount& mount() { return mounts[current]; }
  [[nodiscard]] const LiveMount& mount() const { return mounts[current]; }
  /// Place of the selected row, 0 where it is gone.
  [[nodiscard]] std::size_t selected_place() const;
  [[nodiscard]] const LiveRow* selected_row() const;
};

/// A reading of that mount came in.
void take(LiveState& state, std::size_t mount, StatReply reply);
/// There was none: why, in words.
void lose(LiveState& state, std::size_t mount, std::string why);
/// The daemon's answer to a change, or to a question what is set (`what` is empty then).
void hear(LiveState& state, const std::string& what, const std::string& line, bool is_failure);
/// Opens a page with why a process gets what it gets.
void show_explanation(LiveState& state, std::vector<std::string> sentences);
/// Shows a weight that was just set before the daemon's next reading does.
void expect_weight(LiveState& state, const std::string& row_id, sched::Weight weight);
/// Works out the rows anew, after a reading or a choice. The selected row stays the same one where it still is.
void arrange(LiveState& state);

}  // namespace fairfs::cli
