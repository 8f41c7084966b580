// A manual page in mdoc(7), as far as tests must read it: what each section explains.
#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fairfs::test {

using Names = std::set<std::string>;

class ManualPage {
 public:
  explicit ManualPage(const std::string& text);
  /// The page in cli/manual.
  [[nodiscard]] static ManualPage of_name(const std::string& name);

  /// Names that the list items (.It) of a section or subsection explain and that are marked with this macro: of
  /// ".It Ic ro , rw" and macro "Ic" both, of ".It Fl h , Fl -help" "-h" and "--help". What follows another macro (a
  /// value) is none.
  [[nodiscard]] Names explained(std::string_view section, std::string_view macro) const;
  /// The words behind Cm in the item that explains `name`: the values it may have, those that are only a beginning left
  /// out.
  [[nodiscard]] Names values(std::string_view section, std::string_view name) const;
  /// The lines of a section's items as regular expressions, in which what is marked by Ar is anything.
  [[nodiscard]] std::vector<std::string> patterns(std::string_view section) const;
  /// Every name with this macro in running text.
  [[nodiscard]] Names mentioned(std::string_view macro) const;

 private:
  struct Line {
    std::string section;
    std::vector<std::string> words;
  };
  std::vector<Line> lines_;
};

/// What --help explains: the words at the beginning of its lines in the first column, two spaces from the edge, from
/// the line `from` to the next empty one. "-f, --foreground", "weights=FILE" and "ro rw suid" are two, one and three
/// names.
[[nodiscard]] Names explained_by_help(const std::string& help, const std::string& from);

}  // namespace fairfs::test
