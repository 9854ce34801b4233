// SPDX-License-Identifier: Apache-2.0
// Writes one document as JSON or as YAML from the same calls, without building a tree: a plan of
// 150,000 endpoints is as cheap as its text. Keys keep the order in which they are written.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace proxima::report {

// Compact: JSON on one line, without spaces and without the newline at the end.
enum class DocumentFormat : std::uint8_t { Json, Yaml, Compact };

class DocumentWriter {
 public:
  explicit DocumentWriter(DocumentFormat format) : format_(format) {}

  void begin_object() { begin(Kind::Object); }
  void end_object() { end(); }
  void begin_array() { begin(Kind::Array); }
  void end_array() { end(); }
  // Only inside an object; a value, object or array follows.
  void key(std::string_view name);

  void text(std::string_view value);
  // Twelve digits at most, so that sums of shares read as people expect (0.2, not
  // 0.20000000000000007); null when it is not finite.
  void number(double value);
  void integer(std::int64_t value);
  void boolean(bool value);
  void null();
  // A value that is JSON already; not in YAML.
  void json(std::string_view value);

  void field(std::string_view name, std::string_view value) { key(name), text(value); }
  void field(std::string_view name, const char* value) { key(name), text(value); }
  void field(std::string_view name, double value) { key(name), number(value); }
  void field(std::string_view name, bool value) { key(name), boolean(value); }
  template <std::integral T>
  requires(!std::same_as<T, bool>) void field(std::string_view name, T value) {
    key(name), integer(static_cast<std::int64_t>(value));
  }

  // The document, ending in a newline unless it is compact. Everything begun must be ended.
  std::string finish() &&;

 private:
  enum class Kind : std::uint8_t { Object, Array };
  struct Level {
    Kind kind;
    std::size_t indent = 0;
    bool after_key = false;  // YAML: it starts on the line of its key
    bool empty = true;
  };

  void begin(Kind kind);
  void end();
  void scalar(std::string_view written);
  // What stands before an element of an array, or before a key.
  void separate();
  void before_value();

  DocumentFormat format_;
  std::string out_;
  std::vector<Level> levels_;
  bool key_written_ = false;
};

}  // namespace proxima::report
