// SPDX-License-Identifier: Apache-2.0
#include "wire/yaml_documents.h"

#include <yaml.h>

#include "wire/yaml_json_writer.h"

namespace proxima::wire {
namespace {

// libyaml's event, freed whatever happens.
class Event {
 public:
  Event() = default;
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { yaml_event_delete(&event_); }
  yaml_event_t* operator->() { return &event_; }
  yaml_event_t* get() { return &event_; }

 private:
  yaml_event_t event_{};
};

std::string_view text_of(const yaml_char_t* text) {
  return text == nullptr ? std::string_view() : reinterpret_cast<const char*>(text);
}

bool is_directive_part(std::string_view part) {
  while (!part.empty()) {
    const std::string_view line = part.substr(0, part.find('\n'));
    if (line.starts_with('%')) return true;
    if (!line.empty() && line.front() != '#' && line != "\r") return false;
    part.remove_prefix(std::min(part.size(), line.size() + 1));
  }
  return false;
}

bool is_separator(std::string_view text, std::size_t at) {
  if (text.substr(at, 3) != "---") return false;
  return at + 3 == text.size() || text[at + 3] == '\n' || text[at + 3] == '\r' ||
         text[at + 3] == ' ' || text[at + 3] == '\t';
}

// Where the next line begins that is a separator; the size of the text when there is none.
std::size_t next_separator(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find("\n---", from); at != std::string_view::npos;
       at = text.find("\n---", at + 1)) {
    if (is_separator(text, at + 1)) return at + 1;
  }
  return text.size();
}

YamlScalar scalar_of(yaml_event_t& event) {
  const auto& scalar = event.data.scalar;
  const std::string_view text(reinterpret_cast<const char*>(scalar.value), scalar.length);
  if (scalar.plain_implicit != 0) return resolve_plain_scalar(text);
  const std::string_view tag = text_of(scalar.tag);
  for (const char* resolved : {YAML_INT_TAG, YAML_FLOAT_TAG, YAML_BOOL_TAG, YAML_NULL_TAG})
    if (tag == resolved) return resolve_plain_scalar(text);
  return {YamlTag::Text, std::string(text)};
}

}  // namespace

// A separator that something follows on its line ("--- {a: 1}") begins the next part; a bare one is
// dropped. Directives ("%YAML 1.1") belong to the document after the separator, so a text that
// begins with one is a single part.
std::string_view take_yaml_part(std::string_view& text) {
  std::size_t end = next_separator(text, is_separator(text, 0) ? 3 : 0);
  // What the first separator follows says it for all of them: asking again at each would take time
  // in proportion to the square of the text.
  if (is_directive_part(text.substr(0, end))) end = text.size();
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(end);
  return part;
}

struct YamlDocuments::Parser {
  Parser(std::string_view part, std::size_t line) : first_line(line) {
    PROXIMA_CHECK(yaml_parser_initialize(&yaml) == 1);
    // libyaml aborts on the null pointer that an empty view may have.
    const char* const text = part.empty() ? "" : part.data();
    yaml_parser_set_input_string(&yaml, reinterpret_cast<const unsigned char*>(text), part.size());
  }
  Parser(const Parser&) = delete;
  Parser& operator=(const Parser&) = delete;
  ~Parser() { yaml_parser_delete(&yaml); }

  Error error(const yaml_mark_t& mark, const std::string& message) const {
    return {ErrorCode::InvalidInput, "line " + std::to_string(first_line + mark.line) +
                                         ", column " + std::to_string(mark.column + 1) + ": " +
                                         message};
  }

  Error syntax_error() const {
    if (yaml.error == YAML_MEMORY_ERROR) return {ErrorCode::Denied, "not enough memory"};
    const std::string problem = yaml.problem == nullptr ? "not YAML" : yaml.problem;
    if (yaml.error == YAML_READER_ERROR)
      return {ErrorCode::InvalidInput, problem + " at byte " + std::to_string(yaml.problem_offset)};
    const std::string context = yaml.context == nullptr ? "" : std::string(" ") + yaml.context;
    return error(yaml.problem_mark, problem + context);
  }

  YamlJsonWriter::Mistake write(yaml_event_t& event) {
    switch (event.type) {
      case YAML_SCALAR_EVENT: {
        const bool plain = event.data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
        return writer.scalar(scalar_of(event), plain && text_of(event.data.scalar.value) == "<<",
                             text_of(event.data.scalar.anchor));
      }
      case YAML_ALIAS_EVENT:
        return writer.alias(text_of(event.data.alias.anchor));
      case YAML_SEQUENCE_START_EVENT:
        return writer.begin(false, text_of(event.data.sequence_start.anchor));
      case YAML_MAPPING_START_EVENT:
        return writer.begin(true, text_of(event.data.mapping_start.anchor));
      case YAML_SEQUENCE_END_EVENT:
      case YAML_MAPPING_END_EVENT:
        return writer.end();
      default:
        return std::nullopt;  // the start of a stream or document
    }
  }

  yaml_parser_t yaml{};
  std::size_t first_line;
  YamlJsonWriter writer;
  bool finished = false;
};

YamlDocuments::YamlDocuments(std::string_view part, std::size_t first_line)
    : parser_(std::make_unique<Parser>(part, first_line)) {}
YamlDocuments::~YamlDocuments() = default;

Result<std::optional<std::string>> YamlDocuments::next() {
  while (!parser_->finished) {
    Event event;
    if (yaml_parser_parse(&parser_->yaml, event.get()) == 0) {
      parser_->finished = true;
      return parser_->syntax_error();
    }
    if (event->type == YAML_DOCUMENT_END_EVENT) return std::optional(parser_->writer.take());
    parser_->finished = event->type == YAML_STREAM_END_EVENT;
    if (auto mistake = parser_->write(*event.get())) {
      parser_->finished = true;
      return parser_->error(event->start_mark, *mistake);
    }
  }
  return std::optional<std::string>();
}

}  // namespace proxima::wire
