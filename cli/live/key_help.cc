// The keys, as the help page and the manual show them.
#include <array>

#include "cli/live/keys.h"

namespace fairfs::cli {
namespace {

constexpr std::array kKeys{
    LiveKeyHelp{"F1 h ?", "this page"},
    LiveKeyHelp{"arrows j k PgUp PgDn Home End", "choose a row"},
    LiveKeyHelp{"Enter + - Right Left", "open and close a group"},
    LiveKeyHelp{"F4 / \\", "show only what has this in its name, command, cgroup, user"},
    LiveKeyHelp{"F5 t", "tree of groups, or a flat list"},
    LiveKeyHelp{"F6 > <", "sort by the next column, the one before"},
    LiveKeyHelp{"I", "turn the order round"},
    LiveKeyHelp{"i", "hide what is idle"},
    LiveKeyHelp{"p Z Space", "pause: the daemon is asked nothing"},
    LiveKeyHelp{"d s", "seconds between two looks"},
    LiveKeyHelp{"Tab Shift-Tab", "the next mount, the one before"},
    LiveKeyHelp{"F7 [", "a tenth less weight for the chosen row"},
    LiveKeyHelp{"F8 ]", "a tenth more"},
    LiveKeyHelp{"r w", "its weight, as a number"},
    LiveKeyHelp{"c", "its class: rt, be, idle"},
    LiveKeyHelp{"=", "anything a rule may say of it: weight=20,class=be"},
    LiveKeyHelp{"F9 u", "undo what was set for it"},
    LiveKeyHelp{"U", "undo everything that is set"},
    LiveKeyHelp{"o", "what is set; u there undoes one"},
    LiveKeyHelp{"e", "why it gets what it gets"},
    LiveKeyHelp{"a", "alerts"},
    LiveKeyHelp{"F10 q Esc", "end, or back from a page"},
};

}  // namespace

std::span<const LiveKeyHelp> live_keys() { return kKeys; }

}  // namespace fairfs::cli
