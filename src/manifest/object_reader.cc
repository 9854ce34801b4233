// SPDX-License-Identifier: Apache-2.0
#include "manifest/object_reader.h"

#include <algorithm>
#include <bit>

#include "wire/decode_objects.h"
#include "wire/sysdump_kind.h"

namespace proxima::manifest {
namespace {

constexpr std::size_t kMaxNameBytes = 253;

enum class Kind { Node, Namespace, Pod, Service, EndpointSlice };

struct KnownKind {
  std::string_view name;
  std::string_view group;
  Kind kind;
  bool namespaced;
  std::string_view plural;
};
constexpr KnownKind kKnownKinds[] = {
    {"Pod", "", Kind::Pod, true, "pods"},
    {"Service", "", Kind::Service, true, "services"},
    {"Node", "", Kind::Node, false, "nodes"},
    {"Namespace", "", Kind::Namespace, false, "namespaces"},
    {"EndpointSlice", "discovery.k8s.io", Kind::EndpointSlice, true, "endpointslices"},
};

// "discovery.k8s.io/v1" → "discovery.k8s.io", "v1" → "".
std::string_view group_of(std::string_view api_version) {
  const std::size_t slash = api_version.find('/');
  return slash == std::string_view::npos ? std::string_view() : api_version.substr(0, slash);
}

// Other groups use our kinds' names too (a Knative Service). An object that says no version at all
// was written by hand and means the usual one.
const KnownKind* known_kind(std::string_view kind, std::string_view api_version) {
  for (const KnownKind& known : kKnownKinds) {
    if (known.name != kind) continue;
    if (api_version.empty() || known.group == group_of(api_version)) return &known;
  }
  return nullptr;
}

bool is_known_plural(std::string_view plural) {
  return std::ranges::any_of(kKnownKinds,
                             [&](const KnownKind& known) { return known.plural == plural; });
}

// Enough to keep names usable as words in output; the API server's own rules are narrower.
bool is_usable_name(std::string_view name) {
  auto ordinary = [](char c) { return c > ' ' && c != '/' && c != '\x7f'; };
  return !name.empty() && name.size() <= kMaxNameBytes && std::ranges::all_of(name, ordinary);
}

}  // namespace

struct ObjectReader::Parser {
  // In place, or what is wrong with it.
  Result<simdjson::dom::object> parse(std::string_view text);

  simdjson::dom::parser json;
};

struct ObjectReader::Object {
  const wire::JsonObject& json;
  const KnownKind& kind;
  wire::ObjectName name;
};

ObjectReader::ObjectReader(model::SnapshotBuilder& builder, wire::ProblemLog& log)
    : builder_(builder), log_(log), parser_(std::make_unique<Parser>()) {}
ObjectReader::~ObjectReader() = default;

Result<simdjson::dom::object> ObjectReader::Parser::parse(std::string_view text) {
  auto broken = [](std::string why) { return Error{ErrorCode::InvalidInput, std::move(why)}; };
  if (text.size() > kMaxObjectBytes)
    return broken("an object of " + std::to_string(text.size()) + " bytes is too large to be one");
  simdjson::error_code error = simdjson::SUCCESS;
  if (text.size() > json.capacity()) error = json.allocate(std::bit_ceil(text.size()));
  simdjson::dom::element element;
  if (error == simdjson::SUCCESS) error = json.parse(text.data(), text.size(), false).get(element);
  if (error != simdjson::SUCCESS)
    return broken(std::string("broken JSON: ") + simdjson::error_message(error));
  simdjson::dom::object members;
  if (element.get(members) != simdjson::SUCCESS) return broken("not an object");
  return members;
}

Status ObjectReader::read(std::string_view text, std::string_view list_kind,
                          std::string_view list_api_version) {
  auto members = parser_->parse(text);
  if (!members) return std::move(members).error();
  const wire::JsonObject object(*members, log_);
  if (list_kind.ends_with("List")) list_kind.remove_suffix(4);
  const std::string_view kind = object.text("kind").value_or(list_kind);
  const std::string_view version = object.text("apiVersion").value_or(list_api_version);
  if (kind.empty()) {
    log_.add("kind", "missing");
    return Unit{};
  }
  ++objects_;
  const KnownKind* known = known_kind(kind, version);
  if (kind == wire::kSysdumpKind && group_of(version) == wire::kSysdumpGroup)
    report_not_collected(object);
  if (known == nullptr) {
    skip(kind, group_of(version));
  } else if (const auto name = read_name(object, known->name, known->namespaced)) {
    decode({object, *known, *name});
  }
  return Unit{};
}

// A plan without them is not that of the cluster.
void ObjectReader::report_not_collected(const wire::JsonObject& sysdump) {
  log_.enter_object(wire::kSysdumpKind, {}, {});
  sysdump.each_object(wire::kNotCollected, [&](const wire::JsonObject& missing) {
    const std::string_view what = missing.text("what").value_or("");
    if (!is_known_plural(what)) return;
    missing.report("what", "the cluster's " + std::string(what) + " are missing: " +
                               std::string(missing.text("why").value_or("nobody says why")));
  });
}

std::optional<wire::ObjectName> ObjectReader::read_name(const wire::JsonObject& object,
                                                        std::string_view kind, bool namespaced) {
  log_.enter_object(kind, {}, {});
  const wire::JsonObject metadata = object.child("metadata");
  const std::string_view name = metadata.text("name").value_or("");
  std::string_view ns = namespaced ? metadata.text("namespace").value_or("") : "";
  if (namespaced && ns.empty()) ns = "default";
  if (!is_usable_name(name)) {
    metadata.report("name", name.empty() ? "missing" : "not a name: \"" + std::string(name) + "\"");
    return std::nullopt;
  }
  if (namespaced && !is_usable_name(ns)) {
    metadata.report("namespace", "not a name: \"" + std::string(ns) + "\"");
    return std::nullopt;
  }
  log_.enter_object(kind, ns, name);
  StringPool& names = builder_.names();
  return wire::ObjectName{namespaced ? names.intern(ns) : NameId(), names.intern(name)};
}

void ObjectReader::decode(const Object& object) {
  StringPool& names = builder_.names();
  switch (object.kind.kind) {
    case Kind::Node:
      return builder_.add(wire::decode_node(object.json, object.name, names));
    case Kind::Namespace:
      return builder_.add(wire::decode_namespace(object.json, object.name, names));
    case Kind::Pod:
      return builder_.add(wire::decode_pod(object.json, object.name, names));
    case Kind::Service:
      return builder_.add(wire::decode_service(object.json, object.name, names));
    case Kind::EndpointSlice:
      saw_endpoint_slice_ = true;
      if (object.json.text("addressType") == "FQDN") return skip("EndpointSlice (FQDN)", "");
      if (const auto slice = wire::decode_endpoint_slice(object.json, object.name, names))
        builder_.add(*slice);
      return;
  }
}

void ObjectReader::skip(std::string_view kind, std::string_view group) {
  std::string name(kind);
  if (!group.empty()) name += "." + std::string(group);
  ++skipped_kinds_[std::move(name)];
}

}  // namespace proxima::manifest
