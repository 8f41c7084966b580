// Can this terminal show screens? In a file of its own: <term.h> has a macro for every word a terminal knows.
#define NCURSES_NOMACROS 1
#include <curses.h>
#include <term.h>
#include <unistd.h>

#include "cli/live/live.h"

namespace fairfs::cli {

bool can_show_screens() {
  if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0) return false;
  int error = 0;
  if (setupterm(nullptr, STDOUT_FILENO, &error) != OK) return false;
  const char* const move = tigetstr("cup");
  return move != nullptr && move != reinterpret_cast<const char*>(-1);
}

}  // namespace fairfs::cli
