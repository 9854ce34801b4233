// SPDX-License-Identifier: Apache-2.0
#include "cli/node_routes_text.h"

#include <boost/json.hpp>

#include "cli/figures.h"
#include "cli/text_width.h"

namespace proxima::cli {
namespace {

namespace json = boost::json;

constexpr std::size_t kIndent = 2;

Error not_routes() {
  return {ErrorCode::InvalidInput, "the answer is not what a node proxy tells of its routes"};
}

Result<json::value> parse(std::string_view text) {
  boost::system::error_code error;
  json::value value = json::parse(text, error);
  if (error || !value.is_object()) return not_routes();
  return value;
}

// What another version of the program may lack is empty.
std::string_view text_of(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  if (value == nullptr || !value->is_string()) return {};
  return value->get_string();
}

// For lines outside tables; tables make their cells printable themselves. The answer is not
// trusted: any program can listen at that address.
std::string shown(const json::object& object, std::string_view key) {
  return printable(text_of(object, key));
}

const json::array& array_of(const json::object& object, std::string_view key) {
  static const json::array none;
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_array() ? value->get_array() : none;
}

template <class Visit>
void each_object(const json::array& array, Visit visit) {
  for (const json::value& value : array)
    if (value.is_object()) visit(value.get_object());
}

std::int64_t integer_of(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_int64() ? value->get_int64() : 0;
}

bool is_true(const json::object& object, std::string_view key) {
  const json::value* value = object.if_contains(key);
  return value != nullptr && value->is_bool() && value->get_bool();
}

class RoutesText {
 public:
  explicit RoutesText(const NodeRoutesLayout& layout) : layout_(layout) {}

  void port(std::string_view family, const json::object& port) {
    if (!out_.empty()) out_ += '\n';
    const std::string name = shown(port, "namespace") + "/" + shown(port, "service") + " port " +
                             shown(port, "port") + "/" + shown(port, "protocol");
    out_ += paint(name, Tone::Strong, layout_.coloring) + "  " + printable(family) + "\n";
    reason(port, "reason", "");
    reason(port, "localReason", "policy Local: ");
    each_object(array_of(port, "refused"),
                [&](const json::object& refused) { say(refused, "not routed: "); });
    frontends(array_of(port, "frontends"));
    backends(array_of(port, "cluster"), "ENDPOINT");
    backends(array_of(port, "local"), "ENDPOINT, POLICY LOCAL");
  }

  std::string take() && { return std::move(out_); }

 private:
  TableLayout table_layout() const {
    return {.width = layout_.width, .coloring = layout_.coloring, .indent = kIndent};
  }

  void reason(const json::object& port, std::string_view key, std::string_view before) {
    const json::value* value = port.if_contains(key);
    if (value != nullptr && value->is_object()) say(value->get_object(), before);
  }

  void say(const json::object& reason, std::string_view before) {
    out_ += std::string(kIndent, ' ') + std::string(before) + shown(reason, "sentence") + " " +
            paint("(" + shown(reason, "code") + ")", Tone::Dim, layout_.coloring) + "\n";
    const std::string remedy = shown(reason, "remedy");
    if (!remedy.empty()) out_ += std::string(kIndent, ' ') + remedy + "\n";
  }

  void frontends(const json::array& all) {
    Table table({{"ADDRESS"}, {"KIND"}, {"FROM PODS"}, {"FROM THE NODE"}, {"FROM OUTSIDE"}});
    each_object(all, [&](const json::object& one) {
      const std::string_view taken = text_of(one, "takenBy");
      if (!taken.empty()) {
        table.add({{std::string(text_of(one, "at"))},
                   {std::string(text_of(one, "kind"))},
                   {"taken by " + std::string(taken), Tone::Warning},
                   {""},
                   {""}});
        return;
      }
      table.add({{std::string(text_of(one, "at"))},
                 {std::string(text_of(one, "kind"))},
                 {std::string(text_of(one, "fromPods"))},
                 {std::string(text_of(one, "fromNode"))},
                 {std::string(text_of(one, "fromOutside"))}});
    });
    if (!all.empty()) out_ += table.render(table_layout());
  }

  void backends(const json::array& all, const std::string& header) {
    Table table({{header}, {"ZONE"}, {"SHARE", Align::Right}, {"WHERE"}});
    each_object(all, [&](const json::object& one) {
      table.add({{std::string(text_of(one, "endpoint"))},
                 {std::string(text_of(one, "zone"))},
                 {percent_text(static_cast<double>(integer_of(one, "permille")) / 1000)},
                 {is_true(one, "local") ? "on this node" : ""}});
    });
    if (!all.empty()) out_ += table.render(table_layout());
  }

  NodeRoutesLayout layout_;
  std::string out_;
};

// NOLINTNEXTLINE(misc-no-recursion): as deep as the parser of the text allows
void write(report::DocumentWriter& writer, const json::value& value) {
  switch (value.kind()) {
    case json::kind::object:
      writer.begin_object();
      for (const auto& [key, inner] : value.get_object()) {
        writer.key(key);
        write(writer, inner);
      }
      writer.end_object();
      return;
    case json::kind::array:
      writer.begin_array();
      for (const json::value& inner : value.get_array()) write(writer, inner);
      writer.end_array();
      return;
    case json::kind::string:
      writer.text(value.get_string());
      return;
    case json::kind::bool_:
      writer.boolean(value.get_bool());
      return;
    case json::kind::int64:
      writer.integer(value.get_int64());
      return;
    case json::kind::uint64:
    case json::kind::double_:
      writer.number(value.to_number<double>());
      return;
    case json::kind::null:
      writer.null();
  }
}

}  // namespace

Result<std::string> node_routes_text(std::string_view json, const NodeRoutesLayout& layout) {
  auto parsed = parse(json);
  if (!parsed) return std::move(parsed).error();
  if (!parsed->get_object().contains("families")) return not_routes();
  RoutesText screen(layout);
  each_object(array_of(parsed->get_object(), "families"), [&](const json::object& family) {
    const std::string_view name = text_of(family, "family");
    if (layout.family && to_text(*layout.family) != name) return;
    each_object(array_of(family, "ports"),
                [&](const json::object& port) { screen.port(name, port); });
  });
  std::string out = std::move(screen).take();
  if (out.empty()) return Error{ErrorCode::NotFound, "the node proxy routes no such service"};
  return out;
}

Result<std::string> node_routes_document(std::string_view json, report::DocumentFormat format) {
  auto parsed = parse(json);
  if (!parsed) return std::move(parsed).error();
  report::DocumentWriter writer(format);
  write(writer, *parsed);
  return std::move(writer).finish();
}

}  // namespace proxima::cli
