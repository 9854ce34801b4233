// SPDX-License-Identifier: Apache-2.0
#include "report/document.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

#include "base/check.h"
#include "base/json_text.h"

namespace proxima::report {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_plain(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') || c == '_' || c == '-' || c == '.' || c == '/';
}

// Words that some YAML reader takes for something else than text.
bool is_reserved(std::string_view text) {
  static constexpr std::array<std::string_view, 10> kReserved = {
      "null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan"};
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
  return std::find(kReserved.begin(), kReserved.end(), lower) != kReserved.end();
}

// Conservative: everything that any YAML version could read as a number, date, flow or comment is
// quoted.
std::string yaml_text(std::string_view text) {
  const bool plain = !text.empty() && is_letter(text.front()) &&
                     std::all_of(text.begin(), text.end(), is_plain) && !is_reserved(text);
  return plain ? std::string(text) : json_text(text);
}

}  // namespace

void DocumentWriter::separate() {
  Level& level = levels_.back();
  const bool first = std::exchange(level.empty, false);
  if (format_ == DocumentFormat::Compact) {
    if (!first) out_ += ',';
    return;
  }
  if (format_ == DocumentFormat::Json) {
    out_.append(first ? "\n" : ",\n").append(level.indent, ' ');
    return;
  }
  // The first element behind "- " or at the start of the document needs no new line.
  if (first && level.after_key) out_ += '\n';
  if (!first || level.after_key) out_.append(level.indent, ' ');
  if (level.kind == Kind::Array) out_ += "- ";
}

void DocumentWriter::before_value() {
  if (levels_.empty()) {
    PROXIMA_CHECK(out_.empty());
    return;
  }
  PROXIMA_CHECK(key_written_ == (levels_.back().kind == Kind::Object));
  if (levels_.back().kind == Kind::Array) separate();
}

void DocumentWriter::key(std::string_view name) {
  PROXIMA_CHECK(!levels_.empty() && levels_.back().kind == Kind::Object && !key_written_);
  separate();
  out_ += format_ == DocumentFormat::Yaml ? yaml_text(name) : json_text(name);
  out_ += ':';
  key_written_ = true;
}

void DocumentWriter::begin(Kind kind) {
  before_value();
  Level level{.kind = kind, .after_key = key_written_};
  const std::size_t outer = levels_.empty() ? 0 : levels_.back().indent;
  if (format_ != DocumentFormat::Yaml) {
    if (key_written_ && format_ == DocumentFormat::Json) out_ += ' ';
    out_ += kind == Kind::Object ? '{' : '[';
    level.indent = outer + 2;
  } else if (!levels_.empty()) {
    // A list stands under its key without indentation, as kubectl writes it.
    level.indent = key_written_ && kind == Kind::Array ? outer : outer + 2;
  }
  levels_.push_back(level);
  key_written_ = false;
}

void DocumentWriter::end() {
  PROXIMA_CHECK(!levels_.empty() && !key_written_);
  const Level level = levels_.back();
  levels_.pop_back();
  const bool object = level.kind == Kind::Object;
  if (format_ != DocumentFormat::Yaml) {
    const bool new_line = !level.empty && format_ == DocumentFormat::Json;
    if (new_line) out_.append("\n").append(level.indent - 2, ' ');
    out_ += object ? '}' : ']';
    return;
  }
  if (!level.empty) return;
  if (level.after_key) out_ += ' ';
  out_ += object ? "{}\n" : "[]\n";
}

void DocumentWriter::scalar(std::string_view written) {
  before_value();
  if (std::exchange(key_written_, false) && format_ != DocumentFormat::Compact) out_ += ' ';
  out_ += written;
  if (format_ == DocumentFormat::Yaml) out_ += '\n';
}

void DocumentWriter::text(std::string_view value) {
  scalar(format_ == DocumentFormat::Yaml ? yaml_text(value) : json_text(value));
}

void DocumentWriter::number(double value) {
  if (!std::isfinite(value)) return null();
  std::array<char, 32> digits{};
  const int size = std::snprintf(digits.data(), digits.size(), "%.12g", value);
  scalar(std::string_view(digits.data(), static_cast<std::size_t>(size)));
}

void DocumentWriter::integer(std::int64_t value) { scalar(std::to_string(value)); }
void DocumentWriter::boolean(bool value) { scalar(value ? "true" : "false"); }
void DocumentWriter::null() { scalar("null"); }

void DocumentWriter::json(std::string_view value) {
  PROXIMA_CHECK(format_ != DocumentFormat::Yaml);
  scalar(value);
}

std::string DocumentWriter::finish() && {
  PROXIMA_CHECK(levels_.empty() && !key_written_);
  if (format_ == DocumentFormat::Json) out_ += '\n';
  return std::move(out_);
}

}  // namespace proxima::report
