#include "cli/config_file.h"

#include <algorithm>
#include <cmath>

namespace fairfs::cli {
namespace {

std::string located(std::string_view file, const toml::source_position& where) {
  if (!where) return {};
  return std::string{file} + ":" + std::to_string(where.line) + ":" + std::to_string(where.column) + ": ";
}

/// Without the trailing zeros of std::to_string.
std::string spelled(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15 ? std::to_string(static_cast<std::int64_t>(value))
                                                              : std::to_string(value);
}

// toml++ handles a key of so many parts by so many calls within each other, until the stack ends. The longest names of
// cgroups, in quotes, have as many dots at most.
constexpr std::ptrdiff_t kDotsMost = 1024;

void refuse_long_keys(std::string_view text, std::string_view file) {
  toml::source_position where{.line = 0, .column = 1};
  while (!text.empty()) {
    ++where.line;
    const std::string_view line = text.substr(0, text.find('\n'));
    if (std::ranges::count(line, '.') > kDotsMost)
      throw ConfigError{file, where, "line has more than " + std::to_string(kDotsMost) + " dots",
                        "allowed is TOML, see toml.io"};
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
}

}  // namespace

ConfigError::ConfigError(std::string_view file, const toml::source_position& where, std::string_view what,
                         std::string_view allowed)
    : Failure{kExitFailed, located(file, where).append(what).append("; ").append(allowed)} {}

void ConfigTable::refuse(std::string_view key, std::string_view what, std::string_view allowed) const {
  const toml::node* const at = key.empty() ? &table_ : table_.get(key);
  throw ConfigError{file_, at->source().begin, what, allowed};
}

void ConfigTable::allow_only(std::initializer_list<std::string_view> names) const {
  for (const auto& [key, value] : table_) {
    if (std::ranges::find(names, key.str()) != names.end()) continue;
    std::string allowed;
    for (const auto name : names) allowed.append(allowed.empty() ? "allowed are " : ", ").append(name);
    throw ConfigError{file_, key.source().begin, "key '" + std::string{key.str()} + "' is not known", allowed};
  }
}

std::optional<std::int64_t> ConfigTable::integer(std::string_view key, std::int64_t least, std::int64_t most) const {
  const toml::node* const found = table_.get(key);
  if (found == nullptr) return std::nullopt;
  const std::string allowed = "allowed is a whole number from " + std::to_string(least) + " to " + std::to_string(most);
  const auto* const value = found->as_integer();
  if (value == nullptr) refuse(key, std::string{key} + " is not a whole number", allowed);
  if (value->get() < least || value->get() > most) {
    refuse(key, std::string{key} + " = " + std::to_string(value->get()) + " is out of range", allowed);
  }
  return value->get();
}

std::optional<double> ConfigTable::number(std::string_view key, double least, double most) const {
  const toml::node* const found = table_.get(key);
  if (found == nullptr) return std::nullopt;
  const std::string allowed = "allowed is a number from " + spelled(least) + " to " + spelled(most);
  if (!found->is_number()) refuse(key, std::string{key} + " is not a number", allowed);
  const double value = *found->value<double>();
  if (!(value >= least && value <= most)) {
    refuse(key, std::string{key} + " = " + spelled(value) + " is out of range", allowed);
  }
  return value;
}

std::optional<std::string> ConfigTable::string(std::string_view key) const {
  const toml::node* const found = table_.get(key);
  if (found == nullptr) return std::nullopt;
  const auto* const value = found->as_string();
  if (value == nullptr) refuse(key, std::string{key} + " is not a string", "allowed is a text in quotes");
  if (value->get().find('\0') != std::string::npos) {
    refuse(key, std::string{key} + " has a NUL in it", "no name has one: leave it out");
  }
  if (value->get().empty()) refuse(key, std::string{key} + " is empty", "leave it out, or give it a value");
  return value->get();
}

toml::table parse_toml(std::string_view text, std::string_view file) {
  refuse_long_keys(text, file);
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw ConfigError{file, error.source().begin, error.description(), "allowed is TOML, see toml.io"};
  }
}

}  // namespace fairfs::cli
