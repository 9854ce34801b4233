// SPDX-License-Identifier: Apache-2.0
#include "simulation/model_api.h"

#include <algorithm>
#include <charconv>

#include "base/check.h"

namespace proxima::simulation {
namespace {

using net::HttpResponse;

std::uint64_t number_in(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

std::string value_of(const std::map<std::string, std::string>& query, const std::string& name) {
  const auto found = query.find(name);
  return found == query.end() ? std::string() : found->second;
}

std::string label_of(const json::object& object, std::string_view name) {
  const json::object* meta = object_at(object, "metadata");
  const json::object* labels = meta == nullptr ? nullptr : object_at(*meta, "labels");
  return labels == nullptr ? std::string() : text_at(*labels, name);
}

// The forms that the clients use: "!key", "key=value", "key!=value".
template <class ValueOf>
bool is_selected(std::string_view selector, ValueOf value) {
  if (selector.empty()) return true;
  if (selector.front() == '!') return value(selector.substr(1)).empty();
  const std::size_t equals = selector.find('=');
  const bool differs = equals > 0 && selector[equals - 1] == '!';
  const bool same =
      value(selector.substr(0, differs ? equals - 1 : equals)) == selector.substr(equals + 1);
  return same != differs;
}

std::string field_of(const json::object& object, std::string_view path) {
  const std::size_t dot = path.find('.');
  const json::object* section = object_at(object, path.substr(0, dot));
  return section == nullptr ? std::string() : text_at(*section, path.substr(dot + 1));
}

bool selects(const ApiCall& call, const ObjectText& text) {
  if (text == nullptr) return false;
  const std::string labels = value_of(call.query, "labelSelector");
  const std::string fields = value_of(call.query, "fieldSelector");
  if (labels.empty() && fields.empty()) return true;
  const json::object object = json::parse(*text).as_object();
  return is_selected(labels, [&](std::string_view name) { return label_of(object, name); }) &&
         is_selected(fields, [&](std::string_view path) { return field_of(object, path); });
}

std::string event_line(std::string_view type, const std::string& object) {
  return R"({"type":")" + std::string(type) + R"(","object":)" + object + "}\n";
}

HttpResponse as_json(int status, std::string body) {
  return {status, {{"Content-Type", "application/json"}}, std::move(body)};
}

// The list of conditions is merged by type, as the API's patch strategy has it.
void merge_conditions(json::object& service, const json::object& patch) {
  const json::object* status = object_at(patch, "status");
  const json::value* changes = status == nullptr ? nullptr : status->if_contains("conditions");
  if (changes == nullptr || !changes->is_array()) return;
  json::value& section = service["status"];
  if (!section.is_object()) section.emplace_object();
  json::value& present = section.get_object()["conditions"];
  if (!present.is_array()) present.emplace_array();
  json::array& conditions = present.get_array();
  for (const json::value& one : changes->get_array()) {
    const json::object& change = one.as_object();
    const std::string type = text_at(change, "type");
    const auto found = std::find_if(conditions.begin(), conditions.end(), [&](const auto& known) {
      return text_at(known.as_object(), "type") == type;
    });
    if (change.contains("$patch")) {
      if (found != conditions.end()) conditions.erase(found);
    } else if (found == conditions.end()) {
      conditions.push_back(change);
    } else {
      for (const auto& field : change) found->as_object()[field.key()] = field.value();
    }
  }
}

}  // namespace

std::string ApiCall::text() const {
  std::string out = is_watch() ? "WATCH" : is_list() ? "LIST" : method;
  out += " " + kind;
  if (!name.empty()) out += " " + (ns.empty() ? "" : ns + "/") + name;
  if (!subresource.empty()) out += "/" + subresource;
  if (is_watch() || is_list()) out += " from " + value_of(query, "resourceVersion");
  return out;
}

ApiCall read_call(const net::HttpRequest& request, std::string client) {
  ApiCall call;
  call.method = request.method;
  call.client = std::move(client);
  call.body = request.body;
  const std::string_view target = request.target;
  const std::size_t question = target.find('?');
  const auto query =
      net::parse_query(question == std::string_view::npos ? "" : target.substr(question + 1));
  PROXIMA_CHECK(query.has_value());
  for (const net::QueryParameter& parameter : *query) call.query[parameter.name] = parameter.value;
  std::vector<std::string> parts;
  std::string_view rest =
      target.substr(1, question == std::string_view::npos ? std::string_view::npos : question - 1);
  while (!rest.empty()) {
    const std::size_t slash = std::min(rest.find('/'), rest.size());
    parts.push_back(net::percent_decode(rest.substr(0, slash), net::PlusSign::Itself).value());
    rest.remove_prefix(std::min(slash + 1, rest.size()));
  }
  // "api", version; or "apis", group, version.
  std::size_t at = parts.at(0) == "api" ? 2 : 3;
  if (parts.size() > at + 2 && parts.at(at) == "namespaces") {
    call.ns = parts.at(at + 1);
    at += 2;
  }
  call.kind = parts.at(at);
  if (parts.size() > at + 1) call.name = parts.at(at + 1);
  if (parts.size() > at + 2) call.subresource = parts.at(at + 2);
  return call;
}

HttpResponse ModelApi::failure(int status, std::string_view reason, std::string_view message) {
  return as_json(status, json::serialize(json::object{{"kind", "Status"},
                                                      {"apiVersion", "v1"},
                                                      {"metadata", json::object()},
                                                      {"status", "Failure"},
                                                      {"message", message},
                                                      {"reason", reason},
                                                      {"code", status}}));
}

std::optional<std::string> ModelApi::watch_line(const ApiCall& watch, const StoreChange& change) {
  if (change.kind != watch.kind) return std::nullopt;
  const bool was = selects(watch, change.before);
  const bool is = selects(watch, change.now);
  if (is) return event_line(was ? "MODIFIED" : "ADDED", *change.now);
  if (!was) return std::nullopt;
  if (change.last != nullptr) return event_line("DELETED", *change.last);
  // It is there, but not for this watch: as it was, with the version of the change.
  json::object object = json::parse(*change.before).as_object();
  metadata_of(object)["resourceVersion"] = std::to_string(change.version);
  return event_line("DELETED", json::serialize(object));
}

HttpResponse ModelApi::answer(const ApiCall& call) {
  if (call.is_list()) return list(call);
  if (call.method == "GET") {
    // Reads what is stored now, as a GET without a version does. Nobody asks for another one.
    PROXIMA_CHECK(!call.query.contains("resourceVersion"));
    const std::string key = (call.ns.empty() ? "" : call.ns + "/") + call.name;
    const json::object* found = store_.find(call.kind, key);
    if (found == nullptr) return failure(404, "NotFound", call.kind + " " + key + " not found");
    return as_json(200, json::serialize(*found));
  }
  if (call.method == "POST") return create(call);
  if (call.method == "PUT") return update(call);
  if (call.method == "PATCH") return patch(call);
  if (call.method == "DELETE") return remove(call);
  return failure(405, "MethodNotAllowed", "unknown method");
}

HttpResponse ModelApi::list(const ApiCall& call) {
  const std::string asked = value_of(call.query, "resourceVersion");
  std::uint64_t version = store_.version();
  const std::uint64_t behind = std::min(std::exchange(stale_by_, 0), version - store_.oldest());
  // A version that is named is a lower bound, and "0" is none at all.
  if (!asked.empty()) version = std::max(version - behind, std::min(number_in(asked), version));
  listed_ = version;
  if (number_in(asked) > version)
    return failure(504, "Timeout", "Too large resource version: " + asked);
  std::string items;
  for (const auto& [key, text] : store_.at(call.kind, version))
    if (selects(call, text)) items += (items.empty() ? "" : ",") + *text;
  return as_json(200, R"({"kind":"List","apiVersion":"v1","metadata":{"resourceVersion":")" +
                          std::to_string(version) + R"("},"items":[)" + items + "]}");
}

HttpResponse ModelApi::wrote(const ApiCall& call, json::object object, int status) {
  const std::uint64_t before = store_.version();
  const StoredObject& stored = store_.put(call.kind, std::move(object), now_());
  std::string body = *stored.text;
  if (on_write_) on_write_({call, key_of(stored.object), store_.version() != before});
  return as_json(status, std::move(body));
}

HttpResponse ModelApi::create(const ApiCall& call) {
  json::error_code error;
  json::value parsed = json::parse(call.body, error);
  if (error || !parsed.is_object()) return failure(400, "BadRequest", "the body is no object");
  json::object object = std::move(parsed.get_object());
  json::object& meta = metadata_of(object);
  if (!call.ns.empty()) meta["namespace"] = call.ns;
  if (text_at(meta, "name").empty()) {
    std::string name = text_at(meta, "generateName");
    for (int i = 0; i < 5; ++i) name += static_cast<char>('a' + random_.below(26));
    meta["name"] = name;
  }
  if (call.kind == "events") {
    // Nobody here reads events: they are taken, counted and dropped.
    if (on_write_) on_write_({call, key_of(object), true});
    meta["resourceVersion"] = std::to_string(store_.version());
    return as_json(201, json::serialize(object));
  }
  if (store_.find(call.kind, key_of(object)) != nullptr)
    return failure(409, "AlreadyExists", key_of(object) + " already exists");
  return wrote(call, std::move(object), 201);
}

HttpResponse ModelApi::update(const ApiCall& call) {
  json::error_code error;
  json::value parsed = json::parse(call.body, error);
  if (error || !parsed.is_object()) return failure(400, "BadRequest", "the body is no object");
  json::object object = std::move(parsed.get_object());
  const std::string key = key_of(object);
  const json::object* present = store_.find(call.kind, key);
  if (present == nullptr) return failure(404, "NotFound", call.kind + " " + key + " not found");
  for (const char* field : {"resourceVersion", "uid"}) {
    const std::string wanted = metadata_text(object, field);
    if (!wanted.empty() && wanted != metadata_text(*present, field))
      return failure(409, "Conflict", "the object " + key + " has been modified");
  }
  return wrote(call, std::move(object), 200);
}

HttpResponse ModelApi::patch(const ApiCall& call) {
  if (call.kind == "events") return failure(404, "NotFound", "the event is gone");
  const std::string key = (call.ns.empty() ? "" : call.ns + "/") + call.name;
  const json::object* present = store_.find(call.kind, key);
  if (present == nullptr) return failure(404, "NotFound", call.kind + " " + key + " not found");
  const json::object patch = json::parse(call.body).as_object();
  const std::string version = metadata_text(patch, "resourceVersion");
  if (!version.empty() && version != metadata_text(*present, "resourceVersion"))
    return failure(409, "Conflict", "the object " + key + " has been modified");
  json::object object = *present;
  merge_conditions(object, patch);
  return wrote(call, std::move(object), 200);
}

HttpResponse ModelApi::remove(const ApiCall& call) {
  const std::string key = (call.ns.empty() ? "" : call.ns + "/") + call.name;
  const json::object* present = store_.find(call.kind, key);
  if (present == nullptr) return failure(404, "NotFound", call.kind + " " + key + " not found");
  if (!call.body.empty()) {
    const json::value options = json::parse(call.body);
    if (const json::object* conditions = object_at(options.as_object(), "preconditions")) {
      for (const char* field : {"uid", "resourceVersion"}) {
        const std::string wanted = text_at(*conditions, field);
        if (!wanted.empty() && wanted != metadata_text(*present, field))
          return failure(409, "Conflict", "the precondition on " + std::string(field) + " failed");
      }
    }
  }
  store_.erase(call.kind, key);
  if (on_write_) on_write_({call, key, true});
  return as_json(200, R"({"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"})");
}

}  // namespace proxima::simulation
