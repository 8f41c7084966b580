#include "tests/cli/parser_names.h"

#include <sstream>

#include "cli/mount_options.h"
#include "cli/trace_filter.h"
#include "cli/weights_file.h"
#include "tests/cli/failure_of.h"

namespace fairfs::test {
namespace {

/// What is wrong with it, without the advice to look at --help.
template <typename Call>
std::string refusal(Call call) {
  const std::string line = failure_of(call).second;
  return line.substr(0, line.find("; see "));
}

}  // namespace

Names list_behind(const std::string& line, const std::string& before) {
  Names names;
  const auto start = line.find(before);
  if (start == line.npos) return names;
  std::string word;
  for (const char letter : line.substr(start + before.size()) + ",") {
    if (letter != ',' && letter != ' ') {
      word += letter;
      continue;
    }
    if (!word.empty() && word != "or") names.insert(word);
    word.clear();
  }
  return names;
}

Names names_of(const std::vector<std::string>& displayed) {
  Names names;
  for (const std::string& option : displayed) {
    std::istringstream words{option};
    for (std::string word; words >> word;)
      if (word[0] == '-') names.insert(word);
  }
  return names;
}

Names mount_options() {
  const auto names = cli::mount_option_names();
  return {names.begin(), names.end()};
}

Names values_of(const std::string& mount_option) {
  cli::Options ignored;
  return list_behind(refusal([&] { cli::apply_mount_option(mount_option + "=nonsense", ignored); }), "is not one of ");
}

Names rule_keys() {
  return list_behind(refusal([] { (void)cli::parse_weights("[[rule]]\nnonsense = 1\n", "f"); }), "allowed are ");
}

Names file_keys() {
  return list_behind(refusal([] { (void)cli::parse_weights("nonsense = 1\n", "f"); }), "allowed are ");
}

Names trace_conditions() {
  cli::TraceFilter filter;
  Names names;
  for (const std::string& name : list_behind(refusal([&] { cli::add_condition(filter, "nonsense=1"); }), "allowed is "))
    names.insert(name.substr(0, name.find('=')));
  return names;
}

}  // namespace fairfs::test
