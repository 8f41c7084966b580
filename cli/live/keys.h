// What the keys do.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "cli/live/state.h"

namespace fairfs::cli {

struct LiveKey {
  enum class Code : std::uint8_t {
    character,
    up,
    down,
    page_up,
    page_down,
    home,
    end,
    left,
    right,
    enter,
    escape,
    backspace,
    tab,
    back_tab,
    function  ///< F1 and so on: `character` is the number
  } code = Code::character;
  char32_t character = 0;
};

/// What is to be done outside of the state.
struct LiveWish {
  enum class Kind : std::uint8_t {
    none,
    quit,
    look,     ///< another mount or another interval: ask now
    tell,     ///< send `line` to the current mount's daemon; `what` it is, in words
    list,     ///< ask it what is set
    explain,  ///< ask why process `pid` gets what it gets
  } kind = Kind::none;
  std::string line{}, what{};
  pid_t pid = 0;
};

/// Changes the state as the key says. `page_rows`: rows that the screen shows at once.
[[nodiscard]] LiveWish press(LiveState& state, const LiveKey& key, std::size_t page_rows);

/// The letter that does what the key does: F5 is t, Esc is q. 0 for none.
[[nodiscard]] char32_t as_letter(const LiveKey& key);

/// A key as people write it, and what it does.
struct LiveKeyHelp {
  std::string_view keys, does;
};
/// All there are, in the order of the help page.
[[nodiscard]] std::span<const LiveKeyHelp> live_keys();

}  // namespace fairfs::cli
