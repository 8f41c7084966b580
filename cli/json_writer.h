// JSON written straight into a string: what the daemon says of thousands of flows must cost it next to nothing.
#pragma once

#include <charconv>
#include <concepts>
#include <string>
#include <string_view>

namespace fairfs::cli {

/// Commas come by themselves. The caller opens and closes in order, and gives each field of an object its key.
class JsonWriter {
 public:
  JsonWriter& open(char bracket);   ///< '{' or '['
  JsonWriter& close(char bracket);  ///< '}' or ']'
  JsonWriter& key(std::string_view name);
  /// Bytes that are not UTF-8 become U+FFFD, as a command's name may have any.
  JsonWriter& value(std::string_view text);
  JsonWriter& value(const char* text) { return value(std::string_view{text}); }
  JsonWriter& value(bool truth);
  JsonWriter& value(double number);
  JsonWriter& value(std::integral auto number) {
    separate();
    char digits[24];
    const auto end = std::to_chars(digits, digits + sizeof digits, number).ptr;
    text_.append(digits, end);
    return *this;
  }
  /// JSON as it stands.
  JsonWriter& raw(std::string_view json);

  template <typename Value>
  JsonWriter& field(std::string_view name, const Value& what) {
    return key(name).value(what);
  }

  [[nodiscard]] std::string take() { return std::move(text_); }
  void reserve(std::size_t bytes) { text_.reserve(bytes); }

 private:
  void separate();
  std::string text_;
};

}  // namespace fairfs::cli
