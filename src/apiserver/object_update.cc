// SPDX-License-Identifier: Apache-2.0
// ObjectRegistry: how an object changes.
#include <boost/json/array.hpp>

#include "apiserver/event_faces.h"
#include "apiserver/object_meta.h"
#include "apiserver/object_registry.h"
#include "apiserver/object_rules.h"
#include "apiserver/rules/written_form.h"
#include "apiserver/schema.h"

namespace proxima::apiserver {
namespace json = boost::json;
namespace {

constexpr std::string_view kModified =
    "the object has been modified; please apply your changes to the latest version and try again";

// Kinds that a PUT may create.
bool creates_on_update(Kind kind) {
  return kind == Kind::Service || kind == Kind::Endpoints || kind == Kind::Event ||
         kind == Kind::EventsV1 || kind == Kind::Lease;
}

// Kinds whose updates must say which state they change.
bool needs_revision(Kind kind) { return kind == Kind::Lease; }

StatusError missing_revision(const ResourceType& type, std::string_view name) {
  StatusError error = invalid_object(type, name,
                                     {{FieldErrorType::Invalid, "metadata.resourceVersion", 0,
                                       "must be specified for an update"}});
  // Upstream has only the plural at hand here.
  std::string full(type.plural);
  if (!type.group.empty()) full.append(".").append(type.group);
  error.message = full + error.message.substr(error.message.find(" \""));
  error.kind = type.plural;
  return error;
}

StatusError wrong_uid(const ResourcePath& path, std::string_view asked, std::string_view found) {
  const std::string place = path.ns.empty() ? path.name : path.ns + "/" + path.name;
  return conflict(*path.type, path.name,
                  "StorageError: invalid object, Code: 4, Key: /registry/" +
                      std::string(path.type->plural) + "/" + place +
                      ", ResourceVersion: 0, AdditionalErrorMsg: Precondition failed: UID in "
                      "precondition: " +
                      std::string(asked) + ", UID in object meta: " + std::string(found));
}

// What no update can change, whatever it brings.
void keep_identity(json::object& object, const json::object& old) {
  json::object& meta = metadata_of(object);
  const json::object& before = metadata_of(old);
  for (const char* field : {"creationTimestamp", "deletionTimestamp", "generation"})
    if (const json::value* value = before.if_contains(field)) meta[field] = *value;
  for (const char* field : {"uid", "deletionGracePeriodSeconds"}) {
    const json::value* value = before.if_contains(field);
    if (value != nullptr && !meta.contains(field)) meta[field] = *value;
  }
  meta.erase("selfLink");
  meta.erase("managedFields");
}

bool has_spec_finalizers(const json::object& object) {
  const json::value* list = child_object(object, "spec").if_contains("finalizers");
  return list != nullptr && list->is_array() && !list->get_array().empty();
}

// The last finalizer has gone, and nothing else holds the object.
bool ends_with_update(const ResourceType& type, const json::object& object,
                      const json::object& old) {
  if (!is_deleting(old) || !finalizers_of(object).empty()) return false;
  if (type.kind == Kind::Namespace && has_spec_finalizers(object)) return false;
  return integer_field(metadata_of(old), "deletionGracePeriodSeconds").value_or(0) == 0;
}

// A namespace's finalize request changes nothing but spec.finalizers.
json::object finalized(json::object old, const json::object& object) {
  json::value& spec = old["spec"];
  if (!spec.is_object()) spec.emplace_object();
  const json::value* list = child_object(object, "spec").if_contains("finalizers");
  spec.get_object().erase("finalizers");
  if (list != nullptr && list->is_array() && !list->get_array().empty())
    spec.get_object()["finalizers"] = *list;
  return old;
}

}  // namespace

Outcome<Unit> ObjectRegistry::check_preconditions(const ResourcePath& path, const Object& object,
                                                  const Present& present) const {
  const std::string_view uid = meta_text(object, "uid");
  const std::string_view own = meta_text(present.object, "uid");
  if (!uid.empty() && uid != own) return wrong_uid(path, uid, own);
  auto revision = parse_revision(meta_text(object, "resourceVersion"));
  if (!revision) return std::move(revision).error();
  if (*revision == 0) {
    if (needs_revision(path.type->kind)) return missing_revision(*path.type, path.name);
    return Unit{};
  }
  if (*revision == present.stored->revision) return Unit{};
  return conflict(*path.type, path.name, kModified);
}

Outcome<Unit> ObjectRegistry::complete_changed(const ResourcePath& path, Object& object,
                                               const Present& present,
                                               const WriteOptions& options) {
  const ResourceType& type = *path.type;
  const Subresource part = path.part == PathPart::Status ? Subresource::Status : Subresource::None;
  apply_defaults(type, object);
  keep_identity(object, present.object);
  prepare_update(type, gates_, part, object, present.object);
  const bool allocates = type.kind == Kind::Service && part == Subresource::None;
  if (allocates) {
    const auto errors = allocator_.allocate(object, &present.object, options.dry_run);
    if (!errors.empty()) return allocation_refusal(path.name, errors);
  }
  const auto errors = validate_update(type, part, object, present.object);
  if (errors.empty()) return Unit{};
  if (allocates && !options.dry_run) allocator_.release(object, &present.object);
  return invalid_object(type, path.name, errors);
}

Outcome<Written> ObjectRegistry::store_changed(const ResourcePath& path, Object object,
                                               const Present& present,
                                               const WriteOptions& options) {
  const ResourceType& type = *path.type;
  Written out;
  out.warnings = warnings_of(type, object, &present.object);
  const json::value* revision = metadata_of(present.object).if_contains("resourceVersion");
  if (revision != nullptr) metadata_of(object)["resourceVersion"] = *revision;
  const ObjectKey key{type.stored_as, path.ns, path.name};
  const bool ends = ends_with_update(type, object, present.object);
  if (type.kind == Kind::Service && !options.dry_run && !ends)
    allocator_.release(present.object, &object);
  if (ends) {
    // Watchers get the object as it last was; the client gets what it wrote, under the version that
    // it had, for there is no other.
    const StoredObjectPtr last = erase(key, parse_stored(present.stored->json), options.dry_run);
    Object answer =
        rules::written_form(type_of(resource_of(key.kind)), from_face(type, std::move(object)));
    out.object = std::make_shared<StoredObject>(
        StoredObject{last->revision, stored_text(resource_of(key.kind), answer)});
    out.gone = true;
    return out;
  }
  // Equal as written: an empty list and none are the same. What is stored has that form already,
  // unless it was turned into another face.
  const bool own_face = has_own_face(type);
  object = rules::written_form(type_of(type), std::move(object));
  const bool equal = own_face ? object == rules::written_form(type_of(type), present.object)
                              : object == present.object;
  if (equal) {
    out.object = present.stored;
    return out;
  }
  const Object before = own_face ? parse_stored(present.stored->json) : Object();
  out.object = save(key, from_face(type, std::move(object)), own_face ? &before : &present.object,
                    options.dry_run);
  return out;
}

Outcome<Written> ObjectRegistry::update(const ResourcePath& path, const Change& change,
                                        const WriteOptions& options) {
  auto checked = check_writable();
  if (!checked) return std::move(checked).error();
  const ResourceType& type = *path.type;
  Present present{store_.find({type.stored_as, path.ns, path.name}), {}};
  if (!present.stored) {
    if (path.part != PathPart::Whole || !creates_on_update(type.kind))
      return not_found(type, path.name);
    auto made = change(nullptr);
    if (!made) return std::move(made).error();
    return create(type, path.ns, std::move(made).value(), options);
  }
  present.object = to_face(type, parse_stored(present.stored->json));
  auto changed = change(&present.object);
  if (!changed) return std::move(changed).error();
  Object object = std::move(changed).value();
  if (type.namespaced && meta_text(object, "namespace").empty())
    metadata_of(object)["namespace"] = path.ns;
  checked = check_preconditions(path, object, present);
  if (!checked) return std::move(checked).error();
  if (path.part == PathPart::Finalize) {
    object = finalized(present.object, object);
  } else if (path.part != PathPart::Binding) {
    checked = complete_changed(path, object, present, options);
    if (!checked) return std::move(checked).error();
  }
  return store_changed(path, std::move(object), present, options);
}

}  // namespace proxima::apiserver
