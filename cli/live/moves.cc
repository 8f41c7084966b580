#include "cli/live/moves.h"

#include <algorithm>

namespace fairfs::cli {
namespace {

using Code = LiveKey::Code;

void choose(LiveState& state, std::size_t place) {
  if (!state.rows.empty()) state.selected = state.rows[std::min(place, state.rows.size() - 1)].id;
}

/// j and k are arrows.
Code with_letters(const LiveKey& key) {
  if (key.code != Code::character) return key.code;
  return key.character == U'j' ? Code::down : key.character == U'k' ? Code::up : Code::character;
}

}  // namespace

bool move_choice(LiveState& state, const LiveKey& key, std::size_t page_rows) {
  const std::size_t place = state.selected_place();
  switch (with_letters(key)) {
    case Code::up:
      choose(state, place - std::min<std::size_t>(place, 1));
      return true;
    case Code::down:
      choose(state, place + 1);
      return true;
    case Code::page_up:
      choose(state, place - std::min(place, page_rows));
      return true;
    case Code::page_down:
      choose(state, place + page_rows);
      return true;
    case Code::home:
      choose(state, 0);
      return true;
    case Code::end:
      choose(state, state.rows.size());
      return true;
    default:
      return false;
  }
}

bool open_or_close(LiveState& state, const LiveKey& key) {
  const bool letter = key.code == Code::character;
  const bool opens = key.code == Code::right || (letter && key.character == U'+');
  const bool closes = key.code == Code::left || (letter && key.character == U'-');
  if (!opens && !closes && key.code != Code::enter) return false;
  const LiveRow* const row = state.selected_row();
  if (row == nullptr) return true;
  if (!row->is_group) {
    // From a flow Left leads to the group it is in.
    if (key.code != Code::left || row->depth == 0) return true;
    std::size_t place = state.selected_place();
    const std::size_t depth = row->depth;
    while (place > 0 && state.rows[place].depth >= depth) --place;
    choose(state, place);
    return true;
  }
  if (opens || (!closes && !row->expanded)) {
    state.choice.collapsed.erase(row->id);
  } else {
    state.choice.collapsed.insert(row->id);
  }
  arrange(state);
  return true;
}

}  // namespace fairfs::cli
