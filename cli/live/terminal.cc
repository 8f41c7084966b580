#include "cli/live/terminal.h"

// As functions: the macros are called move, erase and clear.
#define NCURSES_NOMACROS 1
#define NCURSES_WIDECHAR 1
#include <langinfo.h>
#include <ncurses.h>
#include <unistd.h>

#include <cerrno>
#include <clocale>
#include <cstdlib>
#include <string_view>

#include "cli/failure.h"

namespace fairfs::cli {
namespace {

/// How long ESC alone waits for the rest of a sequence: long enough for a slow line, too short to be felt.
constexpr int kEscapeDelay_ms = 50;

enum Pair : short { kGreen = 1, kYellow, kRed, kCyan };

std::optional<LiveKey> special_key(int code) {
  using Code = LiveKey::Code;
  switch (code) {
    case KEY_UP:
      return LiveKey{Code::up};
    case KEY_DOWN:
      return LiveKey{Code::down};
    case KEY_PPAGE:
      return LiveKey{Code::page_up};
    case KEY_NPAGE:
      return LiveKey{Code::page_down};
    case KEY_HOME:
      return LiveKey{Code::home};
    case KEY_END:
      return LiveKey{Code::end};
    case KEY_LEFT:
      return LiveKey{Code::left};
    case KEY_RIGHT:
      return LiveKey{Code::right};
    case KEY_ENTER:
      return LiveKey{Code::enter};
    case KEY_BACKSPACE:
      return LiveKey{Code::backspace};
    case KEY_BTAB:
      return LiveKey{Code::back_tab};
    default:
      break;
  }
  if (code >= KEY_F(1) && code <= KEY_F(12)) return LiveKey{Code::function, static_cast<char32_t>(code - KEY_F0)};
  return std::nullopt;
}

LiveKey plain_key(char32_t letter) {
  using Code = LiveKey::Code;
  switch (letter) {
    case U'\n':
    case U'\r':
      return {Code::enter};
    case U'\t':
      return {Code::tab};
    case 0x1b:
      return {Code::escape};
    case 0x08:
    case 0x7f:
      return {Code::backspace};
    default:
      return {Code::character, letter};
  }
}

}  // namespace

LiveTerminal::LiveTerminal() {
  std::setlocale(LC_CTYPE, "");
  if (std::string_view{nl_langinfo(CODESET)} == "UTF-8") glyphs_ = Glyphs::unicode;
  screen_ = newterm(nullptr, stdout, stdin);
  if (screen_ == nullptr) throw failed("live view", "", "this terminal can't be used", "set TERM, or ask with --once");
  cbreak();
  noecho();
  nonl();
  keypad(stdscr, TRUE);
  nodelay(stdscr, TRUE);
  set_escdelay(kEscapeDelay_ms);
  curs_set(0);
  const char* const no_color = std::getenv("NO_COLOR");
  colours_ = has_colors() && (no_color == nullptr || *no_color == '\0');
  if (!colours_) return;
  start_color();
  use_default_colors();
  init_pair(kGreen, COLOR_GREEN, -1);
  init_pair(kYellow, COLOR_YELLOW, -1);
  init_pair(kRed, COLOR_RED, -1);
  init_pair(kCyan, COLOR_CYAN, -1);
}

LiveTerminal::~LiveTerminal() {
  endwin();
  delscreen(static_cast<SCREEN*>(screen_));
}

LiveSize LiveTerminal::size() const {
  return {static_cast<std::size_t>(COLS > 0 ? COLS : 1), static_cast<std::size_t>(LINES > 0 ? LINES : 1)};
}

int LiveTerminal::attributes_of(LiveLook look) const {
  const auto coloured = [this](short pair, int otherwise) { return colours_ ? COLOR_PAIR(pair) : otherwise; };
  switch (look) {
    case LiveLook::plain:
      return A_NORMAL;
    case LiveLook::title:
    case LiveLook::group:
      return A_BOLD;
    case LiveLook::label:
    case LiveLook::key:
      return coloured(kCyan, A_BOLD);
    case LiveLook::heading:
      return A_REVERSE;
    case LiveLook::sorted:
      return A_REVERSE | A_BOLD | A_UNDERLINE;
    case LiveLook::selected:
      return A_REVERSE;
    case LiveLook::good:
      return coloured(kGreen, A_NORMAL);
    case LiveLook::warning:
      return coloured(kYellow, A_BOLD);
    case LiveLook::bad:
      return coloured(kRed, A_BOLD) | A_BOLD;
    case LiveLook::dim:
      return A_DIM;
  }
  return A_NORMAL;
}

void LiveTerminal::show(const LiveScreen& screen) {
  erase();
  for (std::size_t y = 0; y < screen.lines.size(); ++y) {
    if (::move(static_cast<int>(y), 0) == ERR) break;
    for (const LiveSpan& span : screen.lines[y]) {
      attrset(attributes_of(span.look));
      addstr(span.text.c_str());
    }
  }
  attrset(A_NORMAL);
  refresh();  // sends what changed since the last screen and nothing else
}

std::optional<LiveKey> LiveTerminal::key() {
  for (;;) {
    wint_t code = 0;
    errno = 0;
    const int kind = get_wch(&code);
    if (kind == ERR) {
      // Without a key there is ERR as well; a terminal that hung up is told from it by being readable for ever.
      gone_ = isatty(STDIN_FILENO) == 0;
      return std::nullopt;
    }
    if (kind == OK) return plain_key(static_cast<char32_t>(code));
    if (auto special = special_key(static_cast<int>(code))) return special;
  }
}

}  // namespace fairfs::cli
