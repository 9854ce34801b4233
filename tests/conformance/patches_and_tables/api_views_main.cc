// SPDX-License-Identifier: Apache-2.0
// Answers questions about the embedded API's pure parts: one JSON object a line in, one a line out.
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <chrono>
#include <iostream>
#include <string>

#include "apiserver/discovery.h"
#include "apiserver/field_selector.h"
#include "apiserver/json_patch.h"
#include "apiserver/label_selector.h"
#include "apiserver/patch.h"
#include "apiserver/schema.h"
#include "apiserver/table.h"

namespace {

using boost::json::array;
using boost::json::object;
using boost::json::value;
using namespace proxima::apiserver;

object failed(std::string_view message) { return {{"error", message}}; }

object outcome(const Outcome<object>& done) {
  if (!done) return failed(done.error().message);
  return {{"result", *done}};
}

std::string text(const object& question, std::string_view key) {
  const value* found = question.if_contains(key);
  return found != nullptr && found->is_string() ? std::string(found->get_string()) : std::string();
}

const ResourceType* type_asked_for(const object& question) {
  for (const ResourceType& type : served_resources())
    if (type.name == text(question, "kind") && type.api_version() == text(question, "apiVersion"))
      return &type;
  return nullptr;
}

object json_patch(const object& question) {
  auto done = patch_document(question.at("object"), question.at("patch").as_array());
  if (!done) return failed(done.error().message);
  return {{"result", *done}};
}

object labels(const object& question) {
  auto parsed = parse_label_selector(text(question, "text"));
  if (!parsed) return failed(parsed.error().message);
  array answers;
  for (const value& set : question.at("labels").as_array())
    answers.emplace_back(
        parsed->matches([&](std::string_view key) -> std::optional<std::string_view> {
          const value* found = set.get_object().if_contains(key);
          if (found == nullptr) return std::nullopt;
          return std::string_view(found->get_string());
        }));
  return {{"result", std::move(answers)}};
}

object fields(const object& question) {
  auto parsed = FieldSelector::parse(resource_of(Kind::Pod), text(question, "text"));
  if (!parsed) return failed(parsed.error().message);
  array answers;
  for (const value& set : question.at("objects").as_array())
    answers.emplace_back(parsed->matches(set.get_object()));
  return {{"result", std::move(answers)}};
}

object table(const ResourceType& type, const object& question) {
  const std::chrono::system_clock::time_point now{
      std::chrono::seconds(question.at("now").to_number<std::int64_t>())};
  object row = table_row(type, question.at("object").as_object(), IncludeObject::None, now);
  return {{"result", {{"columns", table_columns(type)}, {"row", std::move(row)}}}};
}

object ask_discovery(const object& question) {
  proxima::net::HttpRequest request;
  request.target = text(question, "target");
  for (const auto& [name, content] : question.at("headers").as_object())
    request.headers.add(std::string(name), std::string(content.get_string()));
  const auto response = answer_discovery(request, "127.0.0.1:6443");
  if (!response) return failed("not a path of discovery");
  object headers;
  for (const auto& header : response->headers.all()) headers[header.name] = header.value;
  std::string hexadecimal;  // bodies may be protobuf
  for (const char byte : response->body) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    hexadecimal += kDigits[static_cast<unsigned char>(byte) >> 4U];
    hexadecimal += kDigits[static_cast<unsigned char>(byte) & 15U];
  }
  return {{"result",
           {{"status", response->status}, {"headers", headers}, {"body", std::move(hexadecimal)}}}};
}

object answer(const object& question) {
  const std::string what = text(question, "do");
  if (what == "json-patch") return json_patch(question);
  if (what == "labels") return labels(question);
  if (what == "fields") return fields(question);
  if (what == "discovery") return ask_discovery(question);
  if (what == "merge-patch")
    return outcome(apply_merge_patch(question.at("object").as_object(), question.at("patch")));
  const ResourceType* type = type_asked_for(question);
  if (type == nullptr) return failed("no such kind");
  if (what == "strategic-patch")
    return outcome(apply_strategic_patch(type_of(*type), question.at("object").as_object(),
                                         question.at("patch")));
  if (what == "table") return table(*type, question);
  return failed("no such question");
}

}  // namespace

int main() {
  std::string line;
  while (std::getline(std::cin, line)) {
    boost::json::parse_options options;
    options.max_depth = 200;
    boost::json::error_code error;
    const value question = boost::json::parse(line, error, {}, options);
    const object reply =
        error || !question.is_object() ? failed("not a question") : answer(question.get_object());
    std::cout << boost::json::serialize(reply) << '\n' << std::flush;
  }
  return 0;
}
