#include "cli/stat_protocol.h"

#include "cli/json_words.h"
#include "cli/json_writer.h"

namespace fairfs::cli {
namespace {

void write(JsonWriter& out, const RuleWords& words) {
  out.open('{');
  for (const auto& [key, word] : words) {
    out.key(key);
    std::visit([&](const auto& value) { out.value(value); }, word);
  }
  out.close('}');
}

}  // namespace

std::string to_line(StatRequest request) {
  return request == StatRequest::snapshot ? R"({"get":"snapshot"})" : R"({"get":"second"})";
}

std::string set_line(const RuleWords& words) {
  JsonWriter out;
  write(out.open('{').key("set"), words);
  out.close('}');
  return out.take();
}

std::string unset_line(const RuleWords* whom) {
  if (whom == nullptr) return R"({"unset":"all"})";
  JsonWriter out;
  write(out.open('{').key("unset"), *whom);
  out.close('}');
  return out.take();
}

std::string to_line(const std::vector<RuleWords>& overrides) {
  JsonWriter out;
  out.open('{').key("overrides").open('[');
  for (const RuleWords& words : overrides) write(out, words);
  out.close(']').close('}');
  return out.take();
}

std::string error_in(std::string_view line) {
  const nlohmann::json value = nlohmann::json::parse(line, nullptr, false);
  if (!value.is_object() || value.size() != 1 || !value.contains("error")) return {};
  return value.at("error").is_string() ? value.at("error").get<std::string>() : "an error without words";
}

std::vector<RuleWords> parse_overrides(std::string_view line) {
  return understand(line, [](const nlohmann::json& value) {
    std::vector<RuleWords> result;
    for (const auto& words : value.at("overrides")) result.push_back(rule_words(words));
    return result;
  });
}

ReloadState parse_reload(std::string_view line) {
  return understand(line, [](const nlohmann::json& value) {
    return ReloadState{value.at("reloads").get<std::uint64_t>(), value.value("error", "")};
  });
}

}  // namespace fairfs::cli
