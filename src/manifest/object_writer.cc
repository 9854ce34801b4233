// SPDX-License-Identifier: Apache-2.0
#include "manifest/object_writer.h"

#include <algorithm>

#include "base/json_text.h"
#include "wire/yaml_scalar.h"

namespace proxima::manifest {
namespace {

// Without quotes only where no reader can take it for anything else.
bool is_plain_yaml(std::string_view text) {
  auto ordinary = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '/' || c == '_' || c == '-';
  };
  const bool starts_well = !text.empty() && text.front() != '-' && text.front() != '.';
  return starts_well && std::ranges::all_of(text, ordinary) &&
         wire::resolve_plain_scalar(text).tag == wire::YamlTag::Text;
}

}  // namespace

// Goes to `level` blanks deep on a line of its own; the very first line is there already.
void ObjectWriter::new_line(std::size_t level) {
  if (format_ == TextFormat::CompactJson) return;
  if (!out_.empty()) out_ += '\n';
  const std::size_t width = format_ == TextFormat::Json ? 4 : 2;
  out_.append(width * (base_ + level), ' ');
}

void ObjectWriter::before_json(std::string_view key) {
  if (levels_.empty()) return new_line(0);
  if (!levels_.back().empty) out_ += ',';
  new_line(levels_.back().indent);
  if (levels_.back().list) return;
  append_json_text(out_, key);
  out_ += format_ == TextFormat::Json ? ": " : ":";
}

void ObjectWriter::before_yaml(std::string_view key) {
  if (levels_.empty()) return;
  const bool list = levels_.back().list;
  if (!after_dash_) new_line(levels_.back().indent);
  after_dash_ = false;
  if (list) {
    out_ += "- ";
    after_dash_ = true;
    return;
  }
  if (is_plain_yaml(key)) {
    out_ += key;
  } else {
    append_json_text(out_, key);
  }
  out_ += ":";
}

void ObjectWriter::before(std::string_view key) {
  if (format_ == TextFormat::Yaml) {
    before_yaml(key);
  } else {
    before_json(key);
  }
  if (!levels_.empty()) levels_.back().empty = false;
}

void ObjectWriter::open(std::string_view key, bool list) {
  before(key);
  std::size_t depth = levels_.empty() ? 0 : levels_.back().indent + 1;
  if (format_ != TextFormat::Yaml) {
    out_ += list ? '[' : '{';
    depth = levels_.size() + 1;
  } else if (list && depth > 0) {
    --depth;  // kubectl puts the dashes right under the key
  }
  levels_.push_back({list, true, depth});
}

void ObjectWriter::begin_map(std::string_view key) { open(key, false); }
void ObjectWriter::begin_list(std::string_view key) { open(key, true); }

void ObjectWriter::end() {
  const Level closed = levels_.back();
  levels_.pop_back();
  if (format_ == TextFormat::Yaml) {
    if (closed.empty) out_ += closed.list ? " []" : " {}";
    after_dash_ = false;
    if (levels_.empty()) out_ += '\n';
    return;
  }
  if (!closed.empty) new_line(levels_.size());
  out_ += closed.list ? ']' : '}';
}

void ObjectWriter::text(std::string_view key, std::string_view value) {
  before(key);
  const bool yaml = format_ == TextFormat::Yaml;
  if (yaml && !after_dash_) out_ += ' ';
  if (yaml && is_plain_yaml(value)) {
    out_ += value;
  } else {
    append_json_text(out_, value);
  }
  after_dash_ = false;
}

void ObjectWriter::number(std::string_view key, std::int64_t value) {
  before(key);
  if (format_ == TextFormat::Yaml && !after_dash_) out_ += ' ';
  out_ += std::to_string(value);
  after_dash_ = false;
}

void ObjectWriter::boolean(std::string_view key, bool value) {
  before(key);
  if (format_ == TextFormat::Yaml && !after_dash_) out_ += ' ';
  out_ += value ? "true" : "false";
  after_dash_ = false;
}

std::string ObjectWriter::take() {
  std::string written = std::move(out_);
  out_.clear();
  return written;
}

}  // namespace proxima::manifest
