// SPDX-License-Identifier: Apache-2.0
#include "apiserver/content_negotiation.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <vector>

#include "apiserver/protobuf_body.h"
#include "base/ascii.h"
#include "base/go_quote.h"

namespace proxima::apiserver {
namespace {

struct Clause {
  std::string_view type;
  std::string_view as;
  std::string_view group;
  std::string_view version;
  int permille = 1000;  // its weight
};

int parse_weight(std::string_view text) {
  double value = 1;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && value >= 0 && value <= 1 ? static_cast<int>(value * 1000) : 1000;
}

Clause parse_clause(std::string_view text) {
  Clause out;
  out.type = take_until(text, ';');
  while (!text.empty()) {
    std::string_view value = take_until(text, ';');
    const std::string_view key = take_until(value, '=');
    if (key == "as") out.as = value;
    if (key == "g") out.group = value;
    if (key == "v") out.version = value;
    if (key == "q") out.permille = parse_weight(value);
  }
  return out;
}

std::vector<Clause> parse_clauses(std::string_view header) {
  std::vector<Clause> out;
  while (!header.empty()) out.push_back(parse_clause(take_until(header, ',')));
  std::stable_sort(out.begin(), out.end(),
                   [](const Clause& a, const Clause& b) { return a.permille > b.permille; });
  return out;
}

// The view that a clause asks for; nullopt: we have none like that.
std::optional<Representation> accepted(const Clause& clause) {
  if (clause.type != "application/json" && clause.type != "application/*" && clause.type != "*/*")
    return std::nullopt;
  Representation out;
  if (clause.as.empty()) return out;
  if (clause.group != "meta.k8s.io") return std::nullopt;
  if (clause.version != "v1" && clause.version != "v1beta1") return std::nullopt;
  out.meta_version = clause.version;
  if (clause.as == "Table") {
    out.view = View::Table;
  } else if (clause.as == "PartialObjectMetadata" || clause.as == "PartialObjectMetadataList") {
    out.view = View::Metadata;
  } else {
    return std::nullopt;
  }
  return out;
}

StatusError not_acceptable() {
  StatusError error;
  error.code = 406;
  error.reason = "NotAcceptable";
  error.message = "only the following media types are accepted: application/json";
  return error;
}

bool wants_indentation(const net::HttpHeaders& headers, const RequestQuery& query) {
  const std::string_view asked = query.text("pretty");
  if (!asked.empty()) return asked == "1" || asked == "true" || asked == "True" || asked == "t";
  const std::string_view agent = headers.find("User-Agent").value_or("");
  return agent.starts_with("curl") || agent.starts_with("Wget") || agent.starts_with("Mozilla/5.0");
}

Outcome<IncludeObject> include_object(const RequestQuery& query) {
  const std::string_view text = query.text("includeObject");
  if (text.empty() || text == "Metadata") return IncludeObject::Metadata;
  if (text == "None") return IncludeObject::None;
  if (text == "Object") return IncludeObject::Object;
  return bad_request("Unable to convert to Table as requested: includeObject: Invalid value: " +
                     go_quote(text) + ": must be 'Metadata', 'Object', 'None', or empty");
}

}  // namespace

std::string_view media_type(std::string_view header) { return take_until(header, ';'); }

Outcome<Representation> negotiate(const net::HttpHeaders& headers, const RequestQuery& query) {
  std::string_view header = headers.find("Accept").value_or("");
  if (trimmed(header).empty()) header = "application/json";
  for (const Clause& clause : parse_clauses(header)) {
    auto found = accepted(clause);
    if (!found) continue;
    auto include = include_object(query);
    if (found->view == View::Table && !include) return std::move(include).error();
    if (include) found->include = *include;
    found->pretty = wants_indentation(headers, query);
    return std::move(*found);
  }
  return not_acceptable();
}

Outcome<BodyEncoding> body_encoding(const net::HttpHeaders& headers) {
  const std::string_view type = media_type(headers.find("Content-Type").value_or(""));
  if (type.empty() || type == "application/json") return BodyEncoding::Json;
  if (type == "application/yaml") return BodyEncoding::Yaml;
  if (type == kProtobufType) return BodyEncoding::Protobuf;
  return unsupported_media_type(
      "the body of the request was in an unknown format - accepted media types include: "
      "application/json, application/yaml, application/vnd.kubernetes.protobuf");
}

}  // namespace proxima::apiserver
