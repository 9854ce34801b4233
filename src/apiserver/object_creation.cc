// SPDX-License-Identifier: Apache-2.0
// ObjectRegistry: how an object comes to be.
#include <boost/json/array.hpp>

#include "apiserver/event_faces.h"
#include "apiserver/object_meta.h"
#include "apiserver/object_registry.h"
#include "apiserver/object_rules.h"
#include "base/timestamp.h"

namespace proxima::apiserver {
namespace json = boost::json;
namespace {

// Letters and digits that make no words and are not taken for one another.
constexpr std::string_view kNameAlphabet = "bcdfghjklmnpqrstvwxz2456789";
constexpr std::size_t kGeneratedLength = 5;
constexpr std::size_t kMaxGeneratedName = 63;
constexpr int kNameAttempts = 8;

StatusError terminating(const ResourceType& type, std::string_view name, std::string_view ns) {
  StatusError error = not_found(type, name);
  error.code = 403;
  error.reason = "Forbidden";
  const std::string what = error.message.substr(0, error.message.rfind(" not found"));
  error.message = what + " is forbidden: unable to create new content in namespace " +
                  std::string(ns) + " because it is being terminated";
  error.causes.push_back({"NamespaceTerminating",
                          "namespace " + std::string(ns) + " is being terminated",
                          "metadata.namespace"});
  return error;
}

Outcome<Unit> settle_namespace(const ResourceType& type, json::object& object,
                               std::string_view ns) {
  json::object& meta = metadata_of(object);
  if (!type.namespaced) {
    meta.erase("namespace");
    return Unit{};
  }
  const std::string_view own = text_field(meta, "namespace");
  if (!own.empty() && own != ns) {
    return bad_request(
        "the namespace of the provided object does not match the namespace sent on the request");
  }
  meta["namespace"] = json::string_view(ns.data(), ns.size());
  return Unit{};
}

}  // namespace

std::string ObjectRegistry::make_uid() {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string out;
  std::uint64_t bits = 0;
  for (int i = 0; i < 32; ++i) {
    if (i % 16 == 0) bits = random_.next();
    if (i == 8 || i == 12 || i == 16 || i == 20) out += '-';
    std::uint64_t digit = bits & 15U;
    bits >>= 4U;
    if (i == 12) digit = 4;                 // version: random
    if (i == 16) digit = 8 | (digit & 3U);  // variant
    out += kDigits[digit];
  }
  return out;
}

Outcome<Unit> ObjectRegistry::check_namespace(const ResourceType& type, const Object& object,
                                              std::string_view ns) const {
  if (!type.namespaced) return Unit{};
  const ResourceType& namespaces = resource_of(Kind::Namespace);
  const StoredObjectPtr found = store_.find({Kind::Namespace, {}, std::string(ns)});
  if (!found) return not_found(namespaces, ns);
  const Object parsed = parse_stored(found->json);
  if (text_field(child_object(parsed, "status"), "phase") != "Terminating") return Unit{};
  return terminating(type, meta_text(object, "name"), ns);
}

void ObjectRegistry::generate_name(const ResourceType& type, Object& object, std::string_view ns) {
  json::object& meta = metadata_of(object);
  if (!text_field(meta, "name").empty()) return;
  std::string base(text_field(meta, "generateName"));
  if (base.empty()) return;
  base.resize(std::min(base.size(), kMaxGeneratedName - kGeneratedLength));
  for (int attempt = 0; attempt < kNameAttempts; ++attempt) {
    std::string name = base;
    for (std::size_t i = 0; i < kGeneratedLength; ++i)
      name += kNameAlphabet[random_.below(kNameAlphabet.size())];
    const bool taken = store_.find({type.stored_as, std::string(ns), name}) != nullptr;
    meta["name"] = name;
    if (!taken) return;
  }
}

Outcome<Unit> ObjectRegistry::refuse_taken_name(const ResourceType& type, const Object& object,
                                                std::string_view ns) const {
  const std::string name(meta_text(object, "name"));
  if (!meta_text(object, "resourceVersion").empty() &&
      meta_text(object, "resourceVersion") != "0") {
    StatusError error;
    error.message = "resourceVersion should not be set on objects to be created";
    return error;
  }
  const StoredObjectPtr holder =
      store_.find({type.stored_as, type.namespaced ? std::string(ns) : std::string(), name});
  if (!holder) return Unit{};
  StatusError error = already_exists(type, name);
  if (is_deleting(parse_stored(holder->json)))
    error.message = "object is being deleted: " + error.message;
  return error;
}

Outcome<Unit> ObjectRegistry::complete_new(const ResourceType& type, Object& object,
                                           const WriteOptions& options) {
  apply_defaults(type, object);
  prepare_create(type, gates_, object);
  const std::string name(meta_text(object, "name"));
  if (type.kind == Kind::Service) {
    const auto errors = allocator_.allocate(object, nullptr, options.dry_run);
    if (!errors.empty()) return allocation_refusal(name, errors);
  }
  const auto errors = validate_create(type, object);
  Outcome<Unit> outcome = Unit{};
  if (!errors.empty()) outcome = invalid_object(type, name, errors);
  if (outcome) outcome = refuse_taken_name(type, object, meta_text(object, "namespace"));
  if (!outcome && type.kind == Kind::Service && !options.dry_run)
    allocator_.release(object, nullptr);
  return outcome;
}

Outcome<Written> ObjectRegistry::create(const ResourceType& type, std::string_view ns,
                                        Object object, const WriteOptions& options) {
  auto checked = check_writable();
  if (checked) checked = settle_namespace(type, object, ns);
  if (checked) checked = check_namespace(type, object, ns);
  if (!checked) return std::move(checked).error();
  json::object& meta = metadata_of(object);
  for (const char* field : {"uid", "creationTimestamp", "deletionTimestamp",
                            "deletionGracePeriodSeconds", "selfLink", "managedFields"})
    meta.erase(field);
  generate_name(type, object, ns);
  meta["uid"] = make_uid();
  meta["creationTimestamp"] = time_text(clock_.wall_now());
  checked = complete_new(type, object, options);
  if (!checked) return std::move(checked).error();
  Written out;
  out.created = true;
  out.warnings = warnings_of(type, object, nullptr);
  metadata_of(object).erase("resourceVersion");
  const ObjectKey key{type.stored_as, std::string(meta_text(object, "namespace")),
                      std::string(meta_text(object, "name"))};
  out.object = save(key, from_face(type, std::move(object)), nullptr, options.dry_run);
  return out;
}

}  // namespace proxima::apiserver
