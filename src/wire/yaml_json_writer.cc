// SPDX-License-Identifier: Apache-2.0
#include "wire/yaml_json_writer.h"

#include "base/json_text.h"
#include "wire/json_scanner.h"
#include "wire/yaml_documents.h"

namespace proxima::wire {

// In front of a value: a comma in a sequence. In a mapping key() has written what is needed.
void YamlJsonWriter::before_value() {
  if (open_.empty()) return;
  Open& top = open_.back();
  if (!top.mapping && top.any) out_ += ',';
  top.any = true;
  top.value_start = out_.size();
}

YamlJsonWriter::Mistake YamlJsonWriter::after_value(std::size_t start, std::string_view anchor) {
  if (!anchor.empty()) {
    if (auto mistake = spend(out_.size() - start)) return mistake;
    anchors_.insert_or_assign(std::string(anchor), out_.substr(start));
  }
  if (open_.empty() || !open_.back().mapping) return std::nullopt;
  Open& top = open_.back();
  top.expects_key = true;
  if (!top.merging) return std::nullopt;
  top.merging = false;
  const std::string value = out_.substr(top.value_start);
  out_.resize(top.value_start);
  return merge(top, value);
}

YamlJsonWriter::Mistake YamlJsonWriter::key(std::string_view text) {
  Open& top = open_.back();
  if (!top.keys.emplace(text).second) return "the key \"" + std::string(text) + "\" comes twice";
  if (top.any) out_ += ',';
  top.any = true;
  append_json_text(out_, text);
  out_ += ':';
  top.value_start = out_.size();
  top.expects_key = false;
  return std::nullopt;
}

YamlJsonWriter::Mistake YamlJsonWriter::scalar(const YamlScalar& value, bool is_merge_key,
                                               std::string_view anchor) {
  if (expects_key()) {
    if (is_merge_key) {
      open_.back().merging = true;
      open_.back().expects_key = false;
      open_.back().value_start = out_.size();
      return std::nullopt;
    }
    return key(value.json);
  }
  if (open_.empty() || !open_.back().mapping) before_value();
  const std::size_t start = out_.size();
  if (value.tag == YamlTag::Text) {
    append_json_text(out_, value.json);
  } else {
    out_ += value.json;
  }
  return after_value(start, anchor);
}

YamlJsonWriter::Mistake YamlJsonWriter::alias(std::string_view anchor) {
  const auto found = anchors_.find(anchor);
  if (found == anchors_.end()) return "no anchor \"" + std::string(anchor) + "\" before it";
  const std::string& text = found->second;
  if (auto mistake = spend(text.size())) return mistake;
  if (expects_key()) return "an alias cannot be a key";
  if (open_.empty() || !open_.back().mapping) before_value();
  const std::size_t start = out_.size();
  out_ += text;
  return after_value(start, {});
}

YamlJsonWriter::Mistake YamlJsonWriter::begin(bool mapping, std::string_view anchor) {
  if (expects_key()) return "a key must be a scalar";
  if (open_.size() == kMaxYamlDepth) return "nested too deep";
  if (open_.empty() || !open_.back().mapping) before_value();
  Open opened;
  opened.mapping = opened.expects_key = mapping;
  opened.start = out_.size();
  opened.anchor = anchor;
  open_.push_back(std::move(opened));
  out_ += mapping ? '{' : '[';
  return std::nullopt;
}

YamlJsonWriter::Mistake YamlJsonWriter::end() {
  Open closed = std::move(open_.back());
  open_.pop_back();
  if (closed.mapping && !closed.merged.empty())
    out_ += closed.any ? closed.merged : closed.merged.substr(1);
  out_ += closed.mapping ? '}' : ']';
  return after_value(closed.start, closed.anchor);
}

// `value` is a mapping, or a sequence of mappings of which the earlier ones win. The decoder takes
// the first of equal keys, so written keys go before merged ones.
YamlJsonWriter::Mistake YamlJsonWriter::merge(Open& into, std::string_view value) {
  std::string padded(value);
  padded.append(kScanPadding, '\0');
  const std::string_view text(padded.data(), value.size());
  std::size_t at = text.front() == '[' ? 1 : 0;
  while (at < text.size() && text[at] == '{') {
    const std::size_t end = end_of_container(text, at);
    if (end - at > 2) into.merged += "," + std::string(text.substr(at + 1, end - at - 2));
    at = end + (text.front() == '[' ? 1 : 0);
  }
  const bool all = text.front() == '[' ? at >= text.size() || text == "[]" : at == text.size();
  if (!all) return "<< takes a mapping or a list of mappings";
  return spend(text.size());
}

YamlJsonWriter::Mistake YamlJsonWriter::spend(std::size_t bytes) {
  spent_ += bytes;
  if (spent_ > kMaxYamlAliasBytes) return "anchors and aliases expand to too much";
  return std::nullopt;
}

std::string YamlJsonWriter::take() {
  std::string document = std::move(out_);
  *this = YamlJsonWriter();
  return document;
}

}  // namespace proxima::wire
