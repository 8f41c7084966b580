// The terminal: ncurses and nothing else.
#pragma once

#include <optional>
#include <string>

#include "cli/live/bars.h"
#include "cli/live/keys.h"
#include "cli/live/screen.h"

namespace fairfs::cli {

/// Takes the terminal over and gives it back. One at a time.
class LiveTerminal {
 public:
  /// Colours unless NO_COLOR is set or the terminal has none. Throws Failure.
  LiveTerminal();
  ~LiveTerminal();
  LiveTerminal(const LiveTerminal&) = delete;
  LiveTerminal& operator=(const LiveTerminal&) = delete;

  [[nodiscard]] LiveSize size() const;
  /// Block characters where the locale is UTF-8.
  [[nodiscard]] Glyphs glyphs() const { return glyphs_; }
  void show(const LiveScreen& screen);
  /// A key that was pressed; nothing when there is none. A change of size is none.
  [[nodiscard]] std::optional<LiveKey> key();
  /// Nobody is at the other end any more.
  [[nodiscard]] bool is_gone() const { return gone_; }

 private:
  [[nodiscard]] int attributes_of(LiveLook look) const;

  struct Screen;  // ncurses' own
  void* screen_ = nullptr;
  Glyphs glyphs_ = Glyphs::ascii;
  bool colours_ = false, gone_ = false;
};

}  // namespace fairfs::cli
