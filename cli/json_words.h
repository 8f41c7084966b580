// JSON from the other end of the socket.
#pragma once

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>

#include "cli/rule_words.h"

namespace fairfs::cli {

/// What `read` makes of the line. Throws std::runtime_error with what is wrong for people: the error the line brings,
/// or that it isn't understood.
template <typename Read>
auto understand(std::string_view line, Read read) {
  try {
    const nlohmann::json value = nlohmann::json::parse(line);
    if (value.contains("error") && value.size() == 1) throw std::runtime_error{value.at("error").get<std::string>()};
    return read(value);
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error{std::string{"not understood: "} + error.what()};
  } catch (const std::out_of_range& error) {
    throw std::runtime_error{std::string{"not understood: "} + error.what() + " out of range"};
  }
}

/// A rule: an object with nothing but texts and whole numbers in it. Throws nlohmann::json::exception.
[[nodiscard]] inline RuleWords rule_words(const nlohmann::json& value) {
  RuleWords words;
  for (const auto& [key, word] : value.get_ref<const nlohmann::json::object_t&>()) {
    if (word.is_number_integer()) {
      words.emplace(key, word.get<std::int64_t>());
    } else {
      words.emplace(key, word.get<std::string>());
    }
  }
  return words;
}

}  // namespace fairfs::cli
