// Keys while a page covers the rows.
#include <algorithm>

#include "cli/live/changes.h"
#include "cli/live/prompts.h"
#include "cli/text.h"

namespace fairfs::cli {
namespace {

using Code = LiveKey::Code;
using Wish = LiveWish::Kind;
using Page = LivePage::Kind;
using Prompt = LivePrompt::Kind;

}  // namespace

LiveWish press_on_page(LiveState& state, const LiveKey& key, std::size_t page_rows) {
  LivePage& page = state.page;
  std::size_t& at = page.kind == Page::overrides ? page.chosen : page.first;
  const std::size_t last = page.kind == Page::overrides ? std::max<std::size_t>(page.changes.size(), 1) - 1
                                                        : std::max(page.lines.size(), std::size_t{200});
  const bool down = key.code == Code::down || key.character == U'j', up = key.code == Code::up || key.character == U'k';
  if (down || key.code == Code::page_down) {
    at = std::min(at + (down ? 1 : page_rows), last);
  } else if (up || key.code == Code::page_up) {
    at -= std::min(at, up ? std::size_t{1} : page_rows);
  } else if (page.kind == Page::overrides && as_letter(key) == U'u') {
    if (page.chosen >= page.changes.size()) return {};
    const RuleWords whom = whom_of(page.changes[page.chosen]);
    return {.kind = Wish::tell, .line = unset_line(&whom), .what = printable(to_text(whom)) + ": undone"};
  } else if (page.kind == Page::overrides && as_letter(key) == U'U') {
    open_prompt(state, Prompt::undo_all);
  } else {
    page = {};
  }
  return {};
}

}  // namespace fairfs::cli
