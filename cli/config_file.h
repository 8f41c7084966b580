// Reading TOML so that every complaint says where: file:line:column.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>

#include "cli/failure.h"

namespace fairfs::cli {

/// "file:line:column: what; allowed" as a Failure with exit status 1; `what` begins with the noun it is about. Without
/// the place where that is in no file.
class ConfigError : public Failure {
 public:
  ConfigError(std::string_view file, const toml::source_position& where, std::string_view what,
              std::string_view allowed);
};

/// A table of a configuration file and what may stand in it. Borrows both; lives within one reading of a file.
class ConfigTable {
 public:
  ConfigTable(std::string_view file, const toml::table& table) : file_{file}, table_{table} {}

  /// Throws for the first key that is not among `names`.
  void allow_only(std::initializer_list<std::string_view> names) const;
  [[nodiscard]] bool has(std::string_view key) const { return table_.contains(key); }
  /// Each throws when the key is there with another type or outside its range. Leaves `value` alone when it is not.
  [[nodiscard]] std::optional<std::int64_t> integer(std::string_view key, std::int64_t least, std::int64_t most) const;
  [[nodiscard]] std::optional<double> number(std::string_view key, double least, double most) const;
  [[nodiscard]] std::optional<std::string> string(std::string_view key) const;
  [[nodiscard]] const toml::node* node(std::string_view key) const { return table_.get(key); }

  /// Complains about the value of `key`, or about the table itself when `key` is empty.
  [[noreturn]] void refuse(std::string_view key, std::string_view what, std::string_view allowed) const;
  [[nodiscard]] std::string_view file() const { return file_; }

 private:
  std::string_view file_;
  const toml::table& table_;
};

/// Throws ConfigError where it is not TOML. `file` is only for messages.
[[nodiscard]] toml::table parse_toml(std::string_view text, std::string_view file);

}  // namespace fairfs::cli
