// SPDX-License-Identifier: Apache-2.0
#include "manifest/number_table.h"

#include <yaml.h>

#include <charconv>
#include <cmath>
#include <optional>
#include <set>

namespace proxima::manifest {
namespace {

// A file of numbers is small and flat; what is deeper or longer is something else.
constexpr std::size_t kDepthMax = 8;
constexpr std::size_t kRowsMax = model::limit_of(model::Bounded::TableRows).most_count();

Error at_line(std::size_t line, const std::string& message) {
  return {ErrorCode::InvalidInput, "line " + std::to_string(line) + ": " + message};
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const auto begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

std::optional<double> parse_number(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  const bool valid =
      parsed.ec == std::errc() && parsed.ptr == end && std::isfinite(value) && !std::signbit(value);
  return valid ? std::optional(value) : std::nullopt;
}

class Rows {
 public:
  explicit Rows(const model::Limit& limit) : limit_(limit) {}

  Status add(std::string path, std::string_view number, std::size_t line) {
    if (path.empty()) return at_line(line, "a number without a name");
    const auto value = parse_number(number);
    if (!value) {
      return at_line(line,
                     path + ": \"" + std::string(number) + "\" is not a number of at least 0");
    }
    if (!limit_.admits(*value)) {
      return at_line(
          line, path + ": \"" + std::string(number) + "\" is not " + model::range_text(limit_));
    }
    if (!seen_.insert(path).second) return at_line(line, path + " is given twice");
    if (rows_.size() == kRowsMax) return at_line(line, "too many rows");
    rows_.push_back({std::move(path), *value, line});
    return Unit{};
  }
  std::vector<NumberRow> take() && { return std::move(rows_); }

 private:
  const model::Limit& limit_;
  std::vector<NumberRow> rows_;
  std::set<std::string> seen_;
};

// libyaml's parser and event, released whatever happens.
class YamlEvents {
 public:
  explicit YamlEvents(std::string_view text) {
    PROXIMA_CHECK(yaml_parser_initialize(&parser_) == 1);
    yaml_parser_set_input_string(&parser_, reinterpret_cast<const unsigned char*>(text.data()),
                                 text.size());
  }
  YamlEvents(const YamlEvents&) = delete;
  YamlEvents& operator=(const YamlEvents&) = delete;
  ~YamlEvents() {
    if (held_) yaml_event_delete(&event_);
    yaml_parser_delete(&parser_);
  }
  Status next() {
    if (held_) yaml_event_delete(&event_);
    held_ = yaml_parser_parse(&parser_, &event_) == 1;
    if (held_) return Unit{};
    const char* problem = parser_.problem == nullptr ? "not YAML" : parser_.problem;
    return at_line(parser_.problem_mark.line + 1, problem);
  }
  yaml_event_type_t type() const { return event_.type; }
  std::size_t line() const { return event_.start_mark.line + 1; }
  std::string_view scalar() const {
    return {reinterpret_cast<const char*>(event_.data.scalar.value), event_.data.scalar.length};
  }

 private:
  yaml_parser_t parser_{};
  yaml_event_t event_{};
  bool held_ = false;
};

// Where in the mapping the reader is: one name a level; a level without one awaits its key.
class Path {
 public:
  bool awaits_key() const { return !names_.empty() && !names_.back(); }
  std::size_t depth() const { return names_.size(); }
  void enter() { names_.emplace_back(); }
  void leave() {
    names_.pop_back();
    if (!names_.empty()) names_.back().reset();
  }
  void set_key(std::string_view key) { names_.back() = std::string(trimmed(key)); }
  void clear_key() { names_.back().reset(); }
  std::string text() const {
    std::string out;
    for (const auto& name : names_) out += (out.empty() ? "" : "/") + name.value_or("");
    return out;
  }

 private:
  std::vector<std::optional<std::string>> names_;
};

Status read_scalar(const YamlEvents& events, Path& path, Rows& rows) {
  if (path.depth() == 0) {
    if (events.scalar().empty()) return Unit{};  // an empty document
    return at_line(events.line(), "expected NAME: NUMBER");
  }
  if (path.awaits_key()) {
    path.set_key(events.scalar());
    return Unit{};
  }
  auto added = rows.add(path.text(), trimmed(events.scalar()), events.line());
  path.clear_key();
  return added;
}

Status read_event(const YamlEvents& events, Path& path, Rows& rows) {
  switch (events.type()) {
    case YAML_SCALAR_EVENT:
      return read_scalar(events, path, rows);
    case YAML_MAPPING_START_EVENT:
      if (path.awaits_key()) return at_line(events.line(), "a mapping cannot be a name");
      if (path.depth() == kDepthMax) return at_line(events.line(), "too deep");
      path.enter();
      return Unit{};
    case YAML_MAPPING_END_EVENT:
      path.leave();
      return Unit{};
    case YAML_SEQUENCE_START_EVENT:
    case YAML_ALIAS_EVENT:
      return at_line(events.line(), "expected NAME: NUMBER, not a list or an alias");
    default:
      return Unit{};
  }
}

Result<std::vector<NumberRow>> parse_yaml(std::string_view text, Rows rows) {
  YamlEvents events(text);
  Path path;
  do {
    if (auto status = events.next(); !status) return std::move(status).error();
    if (auto status = read_event(events, path, rows); !status) return std::move(status).error();
  } while (events.type() != YAML_STREAM_END_EVENT);
  return std::move(rows).take();
}

std::string_view without_quotes(std::string_view text) {
  const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
  return quoted ? text.substr(1, text.size() - 2) : text;
}

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> out;
  while (true) {
    const auto comma = line.find(',');
    out.push_back(without_quotes(trimmed(line.substr(0, comma))));
    if (comma == std::string_view::npos) return out;
    line.remove_prefix(comma + 1);
  }
}

Status read_csv_line(std::string_view line, std::size_t number, bool first, Rows& rows) {
  const auto fields = fields_of(line);
  if (fields.size() < 2) return at_line(number, "expected NAME,NUMBER");
  if (first && !parse_number(fields.back())) return Unit{};  // column names
  std::string path;
  for (std::size_t i = 0; i + 1 < fields.size(); ++i) {
    if (fields[i].empty()) return at_line(number, "an empty name");
    path.append(path.empty() ? "" : "/").append(fields[i]);
  }
  return rows.add(std::move(path), fields.back(), number);
}

bool is_comment(std::string_view line) { return line.empty() || line.front() == '#'; }

Result<std::vector<NumberRow>> parse_csv(std::string_view text, Rows rows) {
  bool first = true;
  for (std::size_t number = 1; !text.empty(); ++number) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), line.size() + 1));
    if (is_comment(trimmed(line))) continue;
    auto status = read_csv_line(trimmed(line), number, first, rows);
    if (!status) return std::move(status).error();
    first = false;
  }
  return std::move(rows).take();
}

// CSV has a comma in its first line, and neither the ':' nor the '{' of a mapping.
bool looks_like_csv(std::string_view text) {
  while (!text.empty()) {
    const std::string_view whole = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(text.size(), whole.size() + 1));
    const std::string_view line = trimmed(whole);
    if (is_comment(line)) continue;
    return line.find(',') != std::string_view::npos &&
           line.find_first_of(":{") == std::string_view::npos;
  }
  return false;
}

std::string_view without_byte_order_mark(std::string_view text) {
  constexpr std::string_view kMark = "\xEF\xBB\xBF";
  return text.starts_with(kMark) ? text.substr(kMark.size()) : text;
}

}  // namespace

Result<std::vector<NumberRow>> parse_number_table(std::string_view text,
                                                  const model::Limit& limit) {
  text = without_byte_order_mark(text);
  return looks_like_csv(text) ? parse_csv(text, Rows(limit)) : parse_yaml(text, Rows(limit));
}

Result<std::vector<NumberRow>> parse_number_list(std::string_view text, const model::Limit& limit) {
  Rows rows(limit);
  for (const std::string_view field : fields_of(text)) {
    const auto equals = field.find('=');
    if (equals == std::string_view::npos)
      return Error{ErrorCode::InvalidInput, "\"" + std::string(field) + "\" is not NAME=NUMBER"};
    auto status = rows.add(std::string(trimmed(field.substr(0, equals))),
                           trimmed(field.substr(equals + 1)), 1);
    if (!status) return std::move(status).error();
  }
  return std::move(rows).take();
}

}  // namespace proxima::manifest
