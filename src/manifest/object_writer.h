// SPDX-License-Identifier: Apache-2.0
// Writes nested maps and lists as kubectl prints them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace proxima::manifest {

enum class TextFormat {
  Json,         // as kubectl prints it
  CompactJson,  // without white space, as the API server sends it
  Yaml,
};

class ObjectWriter {
 public:
  // `depth`: how many levels the first value is inside already (an item of a JSON List is in two).
  ObjectWriter(TextFormat format, std::size_t depth) : format_(format), base_(depth) {}

  // In a map every value has a key; in a list, and at the top, the key is empty.
  void begin_map(std::string_view key = {});
  void begin_list(std::string_view key);
  void end();
  void text(std::string_view key, std::string_view value);
  void number(std::string_view key, std::int64_t value);
  void boolean(std::string_view key, bool value);

  // What was written since the last take.
  std::string take();

 private:
  struct Level {
    bool list = false;
    bool empty = true;
    std::size_t indent = 0;  // of what is in it
  };

  void before(std::string_view key);
  void before_json(std::string_view key);
  void before_yaml(std::string_view key);
  void open(std::string_view key, bool list);
  void new_line(std::size_t level);

  TextFormat format_;
  std::size_t base_;
  std::string out_;
  std::vector<Level> levels_;
  bool after_dash_ = false;  // YAML: the first key of a map in a list stands on the dash's line
};

}  // namespace proxima::manifest
