#include "tests/cli/manual_page.h"

#include <cctype>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace fairfs::test {
namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream{text};
  std::vector<std::string> words;
  for (std::string word; stream >> word;) {
    if (word.starts_with("\\&")) word.erase(0, 2);  // what protects punctuation
    words.push_back(word == "\\e" ? "\\" : word);
  }
  return words;
}

bool is_macro(const std::string& word) {
  return word.size() == 2 && std::isupper(static_cast<unsigned char>(word[0])) != 0 &&
         std::islower(static_cast<unsigned char>(word[1])) != 0;
}

/// The arguments of `macro` in a line, from `place` on.
Names arguments_of(const std::vector<std::string>& words, std::size_t place, std::string_view macro) {
  Names names;
  std::string current;
  for (std::size_t i = place; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (is_macro(word)) {
      current = word;
    } else if (current == macro && !word.empty() && word != "," && word != "|" && word != "." && word != ":" &&
               word != ";" && word != ")") {
      names.insert(std::string{macro == "Fl" ? "-" : ""}.append(word));
    }
  }
  return names;
}

Names values_in(std::vector<std::string> words) {
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (words[i + 1] == "Ns" && !is_macro(words[i])) words[i].clear();
  }
  return arguments_of(words, 3, "Cm");
}

std::string name_of_section(const std::string& line) {
  return line.starts_with(".Sh ") || line.starts_with(".Ss ") ? line.substr(4) : std::string{};
}

}  // namespace

ManualPage::ManualPage(const std::string& text) {
  std::istringstream stream{text};
  std::string section;
  for (std::string line; std::getline(stream, line);) {
    if (const std::string name = name_of_section(line); !name.empty()) section = name;
    if (line.starts_with('.') && !line.starts_with(".\\\"")) lines_.push_back({section, words_of(line.substr(1))});
  }
}

ManualPage ManualPage::of_name(const std::string& name) {
  std::ifstream file{FAIRFS_SOURCE_DIR "/cli/manual/" + name};
  if (!file) throw std::runtime_error{"no manual page " + name};
  return ManualPage{{std::istreambuf_iterator<char>{file}, {}}};
}

Names ManualPage::explained(std::string_view section, std::string_view macro) const {
  Names names;
  for (const Line& line : lines_) {
    if (line.section == section && line.words[0] == "It") names.merge(arguments_of(line.words, 1, macro));
  }
  return names;
}

Names ManualPage::values(std::string_view section, std::string_view name) const {
  for (const Line& line : lines_) {
    if (line.section == section && line.words.size() > 2 && line.words[0] == "It" && line.words[2] == name)
      return values_in(line.words);
  }
  return {};
}

std::vector<std::string> ManualPage::patterns(std::string_view section) const {
  std::vector<std::string> patterns;
  for (const Line& line : lines_) {
    if (line.section != section || line.words[0] != "It") continue;
    std::string pattern;
    bool is_any = false, joined = true;
    for (std::size_t i = 1; i < line.words.size(); ++i) {
      const std::string& word = line.words[i];
      if (is_macro(word)) {
        is_any = word == "Ar";
        joined = joined || word == "Ns";
        continue;
      }
      const bool closes = word == ":" || word == ";";  // what is before it, and stays as it is
      if (closes) is_any = false;
      if (!joined && !closes) pattern += ' ';
      if (is_any) pattern += ".+";
      for (const char letter : is_any ? std::string{} : word) {
        if (std::ispunct(static_cast<unsigned char>(letter)) != 0) pattern += '\\';
        pattern += letter;
      }
      is_any = joined = false;
    }
    patterns.push_back(pattern);
  }
  return patterns;
}

Names ManualPage::mentioned(std::string_view macro) const {
  Names names;
  for (const Line& line : lines_) {
    if (line.words[0] != "It") names.merge(arguments_of(line.words, 0, macro));
  }
  return names;
}

Names explained_by_help(const std::string& help, const std::string& from) {
  std::istringstream stream{help.substr(help.find(from))};
  Names names;
  bool begun = false;
  for (std::string line; std::getline(stream, line) && !(begun && line.empty());) {
    if (line.size() < 3 || !line.starts_with("  ") || line[2] == ' ' ||
        std::isupper(static_cast<unsigned char>(line[2])))
      continue;
    begun = true;
    const bool is_option = line[2] == '-';
    for (std::string word : words_of(line.substr(2, line.find("  ", 2) - 2))) {
      if (word.ends_with(',')) word.pop_back();
      const bool is_value = is_option ? word[0] != '-' : word.find('=') != word.npos;
      if (is_value && is_option) break;
      names.insert(word.substr(0, word.find('=')));
      if (is_value) break;
    }
  }
  return names;
}

}  // namespace fairfs::test
