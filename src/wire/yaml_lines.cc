// SPDX-License-Identifier: Apache-2.0
#include "wire/yaml_lines.h"

#include <yaml.h>

#include <algorithm>
#include <vector>

#include "base/check.h"
#include "wire/yaml_documents.h"

namespace proxima::wire {
namespace {

// Follows libyaml's events and knows the path of the one that comes.
class LineReader {
 public:
  explicit LineReader(std::string_view text) {
    PROXIMA_CHECK(yaml_parser_initialize(&parser_) == 1);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  LineReader(const LineReader&) = delete;
  LineReader& operator=(const LineReader&) = delete;
  ~LineReader() { yaml_parser_delete(&parser_); }

  YamlLines read() {
    bool goes_on = true;
    while (goes_on) {
      yaml_event_t event{};
      if (yaml_parser_parse(&parser_, &event) == 0) break;
      goes_on = take(event);
      yaml_event_delete(&event);
    }
    return std::move(lines_);
  }

 private:
  struct Open {
    bool mapping = false;
    bool expects_key = false;
    std::string path;        // of the container itself
    std::string value_path;  // of the value that comes, in a mapping
    std::size_t index = 0;   // of the value that comes, in a list
  };

  // False: that was all.
  bool take(const yaml_event_t& event) {
    switch (event.type) {
      case YAML_SCALAR_EVENT:
        take_scalar(event);
        return true;
      case YAML_ALIAS_EVENT:
        enter_value(event);
        leave_value();
        return true;
      case YAML_MAPPING_START_EVENT:
      case YAML_SEQUENCE_START_EVENT: {
        const bool mapping = event.type == YAML_MAPPING_START_EVENT;
        open_.push_back({mapping, mapping, enter_value(event), {}, 0});
        return open_.size() <= kMaxYamlDepth;
      }
      case YAML_MAPPING_END_EVENT:
      case YAML_SEQUENCE_END_EVENT:
        open_.pop_back();
        leave_value();
        return true;
      default:
        return event.type != YAML_DOCUMENT_END_EVENT && event.type != YAML_STREAM_END_EVENT;
    }
  }

  void take_scalar(const yaml_event_t& event) {
    if (open_.empty() || !open_.back().expects_key) {
      enter_value(event);
      return leave_value();
    }
    const auto& scalar = event.data.scalar;
    const std::string key(reinterpret_cast<const char*>(scalar.value), scalar.length);
    Open& open = open_.back();
    open.value_path = open.path.empty() ? key : open.path + "." + key;
    open.expects_key = false;
    lines_.try_emplace(open.value_path, event.start_mark.line + 1);
  }

  std::string enter_value(const yaml_event_t& event) {
    if (open_.empty()) return {};
    const Open& open = open_.back();
    if (open.mapping) return open.value_path;
    std::string path = open.path + "[" + std::to_string(open.index) + "]";
    lines_.try_emplace(path, event.start_mark.line + 1);
    return path;
  }

  void leave_value() {
    if (open_.empty()) return;
    ++open_.back().index;
    open_.back().expects_key = open_.back().mapping;
  }

  yaml_parser_t parser_{};
  std::vector<Open> open_;
  YamlLines lines_;
};

}  // namespace

YamlLines yaml_lines(std::string_view text) { return LineReader(text).read(); }

std::size_t line_of(const YamlLines& lines, std::string_view path) {
  while (!path.empty()) {
    if (const auto found = lines.find(path); found != lines.end()) return found->second;
    const std::size_t end = path.find_last_of(".[");
    path = path.substr(0, end == std::string_view::npos ? 0 : end);
  }
  return 1;
}

}  // namespace proxima::wire
