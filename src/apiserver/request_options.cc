// SPDX-License-Identifier: Apache-2.0
#include "apiserver/request_options.h"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <charconv>

#include "apiserver/field_error.h"
#include "apiserver/object_meta.h"
#include "apiserver/rules/json_syntax.h"
#include "wire/yaml_documents.h"

namespace proxima::apiserver {
namespace json = boost::json;
namespace {

// Options are no resource, but refusals name them as one.
ResourceType options_type(std::string_view kind) {
  ResourceType type = resource_of(Kind::Namespace);
  type.group = "meta.k8s.io";
  type.version = "v1";
  type.name = kind;
  return type;
}

StatusError invalid_options(std::string_view kind, const std::vector<FieldError>& errors) {
  return invalid_object(options_type(kind), "", errors);
}

FieldError not_allowed(std::string_view field, std::string_view detail) {
  return {FieldErrorType::Forbidden, std::string(field), nullptr, std::string(detail)};
}

FieldError unsupported(std::string_view field, json::value value, std::string_view supported) {
  return {FieldErrorType::NotSupported, std::string(field), std::move(value),
          "supported values: " + std::string(supported)};
}

std::string go_number_error(std::string_view function, std::string_view text, std::errc code) {
  return "strconv." + std::string(function) + ": parsing \"" + std::string(text) + "\": " +
         (code == std::errc::result_out_of_range ? "value out of range" : "invalid syntax");
}

template <class T>
std::optional<std::errc> parse_number(std::string_view text, T& value) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc()) return code;
  return end == text.data() + text.size() ? std::optional<std::errc>()
                                          : std::errc::invalid_argument;
}

std::vector<FieldError> list_errors(const ListOptions& options) {
  std::vector<FieldError> errors;
  if (!options.match.empty()) {
    if (options.resource_version.empty())
      errors.push_back(
          not_allowed("resourceVersionMatch",
                      "resourceVersionMatch is forbidden unless resourceVersion is provided"));
    if (!options.continue_token.empty())
      errors.push_back(not_allowed("resourceVersionMatch",
                                   "resourceVersionMatch is forbidden when continue is provided"));
    if (options.match != "Exact" && options.match != "NotOlderThan")
      errors.push_back(unsupported("resourceVersionMatch", json::value(options.match),
                                   "\"Exact\", \"NotOlderThan\", \"\""));
    if (options.match == "Exact" && options.resource_version == "0")
      errors.push_back(
          not_allowed("resourceVersionMatch",
                      "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
  }
  if (options.initial_events)
    errors.push_back(not_allowed("sendInitialEvents", "sendInitialEvents is forbidden for list"));
  return errors;
}

std::vector<FieldError> watch_errors(const ListOptions& options) {
  std::vector<FieldError> errors;
  const bool not_older = options.match == "NotOlderThan";
  if (options.initial_events && !not_older)
    errors.push_back(
        not_allowed("resourceVersionMatch",
                    "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
  if (options.match.empty()) return errors;
  if (!options.initial_events)
    errors.push_back(not_allowed(
        "resourceVersionMatch",
        "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
  if (!not_older)
    errors.push_back(
        unsupported("resourceVersionMatch", json::value(options.match), "\"NotOlderThan\""));
  if (!options.continue_token.empty())
    errors.push_back(not_allowed("resourceVersionMatch",
                                 "resourceVersionMatch is forbidden when continue is provided"));
  return errors;
}

// Empty: not a dry run. Several values are checked together, as upstream does.
std::optional<FieldError> dry_run_error(const std::vector<std::string>& values) {
  const bool known =
      std::all_of(values.begin(), values.end(), [](const auto& text) { return text == "All"; });
  if (known) return std::nullopt;
  json::array shown(values.begin(), values.end());
  return unsupported("dryRun", std::move(shown), "\"All\"");
}

std::optional<Propagation> parse_propagation(std::string_view text) {
  if (text == "Background") return Propagation::Background;
  if (text == "Foreground") return Propagation::Foreground;
  if (text == "Orphan") return Propagation::Orphan;
  return std::nullopt;
}

struct DeleteRequest {
  DeleteOptions options;
  std::vector<std::string> dry_run;
  std::optional<std::string> propagation;
};

Outcome<DeleteOptions> checked(DeleteRequest request) {
  std::vector<FieldError> errors;
  if (request.propagation) {
    request.options.propagation = parse_propagation(*request.propagation);
    if (!request.options.propagation)
      errors.push_back(unsupported("propagationPolicy", json::value(*request.propagation),
                                   "\"Foreground\", \"Background\", \"Orphan\", \"nil\""));
    if (request.options.orphan)
      errors.insert(
          errors.begin(),
          {FieldErrorType::Invalid, "propagationPolicy", json::value(*request.propagation),
           "orphanDependents and deletionPropagation cannot be both set"});
  }
  if (auto error = dry_run_error(request.dry_run)) errors.push_back(std::move(*error));
  if (!errors.empty()) return invalid_options("DeleteOptions", errors);
  request.options.dry_run = !request.dry_run.empty();
  return std::move(request.options);
}

Outcome<json::object> parse_options_body(std::string_view body, BodyFormat format) {
  std::string converted;
  if (format == BodyFormat::Yaml) {
    auto document = wire::YamlDocuments(body, 1).next();
    if (!document) return bad_request(document.error().message);
    converted = document->value_or("{}");
    body = converted;
  }
  json::error_code error;
  json::value value = json::parse({body.data(), body.size()}, error);
  if (error)
    return bad_request("couldn't get version/kind; json parse error: " +
                       rules::json_syntax_message(body));
  if (!value.is_object())
    return bad_request(
        "couldn't get version/kind; json parse error: json: cannot unmarshal into Go value of type "
        "struct { APIVersion string \"json:\\\"apiVersion,omitempty\\\"\"; Kind string "
        "\"json:\\\"kind,omitempty\\\"\" }");
  const std::string_view kind = text_field(value.get_object(), "kind");
  if (!kind.empty() && kind != "DeleteOptions") {
    return bad_request("no kind \"" + std::string(kind) + "\" is registered for version \"" +
                       std::string(text_field(value.get_object(), "apiVersion")) +
                       "\" in scheme \"pkg/runtime/scheme.go:111\"");
  }
  return std::move(value.get_object());
}

StatusError wrong_type(std::string_view found, std::string_view field, std::string_view wanted) {
  return bad_request("json: cannot unmarshal " + std::string(found) +
                     " into Go struct field DeleteOptions." + std::string(field) + " of type " +
                     std::string(wanted));
}

std::string_view json_kind(const json::value& value) {
  switch (value.kind()) {
    case json::kind::string:
      return "string";
    case json::kind::bool_:
      return "bool";
    case json::kind::array:
      return "array";
    case json::kind::object:
      return "object";
    default:
      return "number";
  }
}

Outcome<DeleteRequest> request_of(const json::object& body) {
  DeleteRequest out;
  const auto member = [&](std::string_view key) -> const json::value* {
    const json::value* value = body.if_contains({key.data(), key.size()});
    return value == nullptr || value->is_null() ? nullptr : value;
  };
  if (const json::value* value = member("gracePeriodSeconds")) {
    out.options.grace_seconds = integer_field(body, "gracePeriodSeconds");
    if (!out.options.grace_seconds)
      return wrong_type(json_kind(*value), "gracePeriodSeconds", "int64");
  }
  if (const json::value* value = member("propagationPolicy")) {
    if (!value->is_string())
      return wrong_type(json_kind(*value), "propagationPolicy", "v1.DeletionPropagation");
    out.propagation = std::string(text_field(body, "propagationPolicy"));
  }
  if (const json::value* value = member("orphanDependents")) {
    if (!value->is_bool()) return wrong_type(json_kind(*value), "orphanDependents", "bool");
    out.options.orphan = value->get_bool();
  }
  if (const json::value* value = member("dryRun")) {
    if (!value->is_array()) return wrong_type(json_kind(*value), "dryRun", "[]string");
    for (const json::value& item : value->get_array()) {
      if (!item.is_string()) return wrong_type(json_kind(item), "dryRun", "string");
      out.dry_run.emplace_back(item.get_string().data(), item.get_string().size());
    }
  }
  const json::object& conditions = child_object(body, "preconditions");
  out.options.uid = text_field(conditions, "uid");
  out.options.resource_version = text_field(conditions, "resourceVersion");
  return out;
}

}  // namespace

Outcome<RequestQuery> RequestQuery::parse(std::string_view target) {
  const std::size_t mark = target.find('?');
  RequestQuery out;
  if (mark == std::string_view::npos) return out;
  auto parameters = net::parse_query(target.substr(mark + 1));
  if (!parameters) return bad_request("invalid URL escape in the query");
  out.parameters_ = std::move(*parameters);
  return out;
}

std::optional<std::string_view> RequestQuery::find(std::string_view name) const {
  for (const net::QueryParameter& parameter : parameters_)
    if (parameter.name == name) return parameter.value;
  return std::nullopt;
}

std::vector<std::string> RequestQuery::all(std::string_view name) const {
  std::vector<std::string> out;
  for (const net::QueryParameter& parameter : parameters_)
    if (parameter.name == name) out.push_back(parameter.value);
  return out;
}

std::optional<bool> RequestQuery::flag(std::string_view name) const {
  const auto text = find(name);
  if (!text) return std::nullopt;
  std::string lower(*text);
  std::transform(lower.begin(), lower.end(), lower.begin(), [](char c) {
    return static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  });
  return lower != "0" && lower != "false";
}

Outcome<std::optional<std::int64_t>> RequestQuery::integer(std::string_view name) const {
  const auto text = find(name);
  if (!text || text->empty()) return std::optional<std::int64_t>();
  std::int64_t value = 0;
  if (const auto code = parse_number(*text, value))
    return bad_request(go_number_error("ParseInt", *text, *code));
  return std::optional<std::int64_t>(value);
}

Outcome<ListOptions> list_options(const RequestQuery& query) {
  ListOptions out;
  out.labels = query.text("labelSelector");
  out.fields = query.text("fieldSelector");
  out.resource_version = query.text("resourceVersion");
  out.match = query.text("resourceVersionMatch");
  out.continue_token = query.text("continue");
  out.watch = query.flag("watch").value_or(false);
  out.bookmarks = query.flag("allowWatchBookmarks").value_or(false);
  out.initial_events = query.flag("sendInitialEvents");
  auto limit = query.integer("limit");
  if (!limit) return std::move(limit).error();
  out.limit = std::max<std::int64_t>(limit->value_or(0), 0);
  auto timeout = query.integer("timeoutSeconds");
  if (!timeout) return std::move(timeout).error();
  out.timeout_seconds = *timeout;
  const auto errors = out.watch ? watch_errors(out) : list_errors(out);
  if (!errors.empty()) return invalid_options("ListOptions", errors);
  return out;
}

Outcome<WriteOptions> write_options(const RequestQuery& query, std::string_view kind) {
  WriteOptions out;
  std::vector<FieldError> errors;
  const auto dry_run = query.all("dryRun");
  if (auto error = dry_run_error(dry_run)) errors.push_back(std::move(*error));
  out.dry_run = !dry_run.empty();
  const std::string_view validation = query.text("fieldValidation");
  if (validation == "Ignore") {
    out.validation = FieldValidation::Ignore;
  } else if (validation == "Strict") {
    out.validation = FieldValidation::Strict;
  } else if (!validation.empty() && validation != "Warn") {
    errors.push_back(unsupported("fieldValidation", json::value(std::string(validation)),
                                 "\"\", \"Ignore\", \"Strict\", \"Warn\""));
  }
  if (!errors.empty()) return invalid_options(kind, errors);
  return out;
}

Outcome<DeleteOptions> delete_options(const RequestQuery& query, std::string_view body,
                                      BodyFormat format) {
  if (!body.empty()) {
    auto parsed = parse_options_body(body, format);
    if (!parsed) return std::move(parsed).error();
    auto request = request_of(*parsed);
    if (!request) return std::move(request).error();
    return checked(std::move(request).value());
  }
  DeleteRequest request;
  auto grace = query.integer("gracePeriodSeconds");
  if (!grace) return std::move(grace).error();
  request.options.grace_seconds = *grace;
  request.options.orphan = query.flag("orphanDependents");
  request.dry_run = query.all("dryRun");
  if (const auto policy = query.find("propagationPolicy")) request.propagation = *policy;
  return checked(std::move(request));
}

Outcome<std::uint64_t> parse_revision(std::string_view text) {
  std::uint64_t value = 0;
  if (text.empty()) return value;
  if (const auto code = parse_number(text, value)) {
    StatusError error;
    error.message = go_number_error("ParseUint", text, *code);
    return error;
  }
  return value;
}

}  // namespace proxima::apiserver
