// SPDX-License-Identifier: Apache-2.0
#include "apiserver/rules/metadata_rules.h"

#include <boost/json/value.hpp>
#include <set>

#include "base/go_quote.h"

namespace proxima::apiserver::rules {
namespace {

namespace json = boost::json;

constexpr std::size_t kAnnotationBytesMax = 256 * 1024;
// Upstream has no limit. The garbage collector reads every owner of an object in one go.
constexpr std::size_t kOwnersMax = 1000;
constexpr std::size_t kFieldManagerBytesMax = 128;
constexpr std::size_t kSubresourceBytesMax = 256;

const FieldPath kMetadata("metadata");

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

void check_annotations(FieldErrors& errors, const JsonFields& annotations) {
  const FieldPath path = kMetadata / "annotations";
  std::size_t bytes = 0;
  for (const std::string_view key : sorted_keys(annotations)) {
    errors.invalid_each(path, key, qualified_name_faults(lower(key)));
    bytes += key.size() + text_at(annotations, key).size();
  }
  if (bytes > kAnnotationBytesMax) errors.too_long(path, kAnnotationBytesMax);
}

std::string_view version_of(std::string_view api_version) {
  return api_version.substr(api_version.find('/') + 1);
}

void check_owner(FieldErrors& errors, const JsonFields& owner, const FieldPath& path) {
  const std::string_view api_version = text_at(owner, "apiVersion");
  if (version_of(api_version).empty())
    errors.invalid(path / "apiVersion", api_version, "version must not be empty");
  for (const std::string_view key : {"kind", "name", "uid"})
    if (text_at(owner, key).empty()) errors.invalid(path / key, "", "must not be empty");
  if (api_version == "v1" && text_at(owner, "kind") == "Event")
    errors.invalid(path, owner, "/v1, Kind=Event is disallowed from being an owner");
}

std::string owner_name(const JsonFields& owner) {
  return std::string(text_at(owner, "kind")).append("/").append(text_at(owner, "name"));
}

void check_owners(FieldErrors& errors, const JsonArray& owners) {
  const FieldPath path = kMetadata / "ownerReferences";
  if (owners.size() > kOwnersMax) return errors.too_many(path, owners.size(), kOwnersMax);
  std::string controller;
  for (const json::value& item : owners) {
    const JsonFields& owner = object_of(item);
    check_owner(errors, owner, path);
    if (!flag_at(owner, "controller")) continue;
    if (controller.empty()) {
      controller = owner_name(owner);
      continue;
    }
    errors.invalid(path, owners,
                   "Only one reference can have Controller set to true. Found \"true\" in "
                   "references for " +
                       controller + " and " + owner_name(owner));
  }
}

void check_metadata_finalizers(FieldErrors& errors, const JsonFields& metadata) {
  const FieldPath path = kMetadata / "finalizers";
  bool orphan = false;
  bool foreground = false;
  for (const std::string_view finalizer : texts_at(metadata, "finalizers")) {
    errors.invalid_each(path, finalizer, qualified_name_faults(finalizer));
    orphan = orphan || finalizer == "orphan";
    foreground = foreground || finalizer == "foregroundDeletion";
  }
  if (orphan && foreground)
    errors.invalid(path, value_at(metadata, "finalizers"),
                   "finalizer orphan and foregroundDeletion cannot be both set");
}

void check_managed_fields(FieldErrors& errors, const JsonArray& entries) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const FieldPath path = (kMetadata / "managedFields")[i];
    const JsonFields& entry = object_of(entries[i]);
    const std::string_view operation = text_at(entry, "operation");
    if (operation != "Apply" && operation != "Update")
      errors.invalid(path / "operation", operation, "must be `Apply` or `Update`");
    const std::string_view type = text_at(entry, "fieldsType");
    if (!type.empty() && type != "FieldsV1")
      errors.invalid(path / "fieldsType", type, "must be `FieldsV1`");
    if (text_at(entry, "manager").size() > kFieldManagerBytesMax)
      errors.too_long(path / "manager", kFieldManagerBytesMax);
    if (text_at(entry, "subresource").size() > kSubresourceBytesMax)
      errors.too_long(path / "subresource", kSubresourceBytesMax);
  }
}

void check_namespace(FieldErrors& errors, std::string_view ns, bool namespaced) {
  const FieldPath path = kMetadata / "namespace";
  if (!namespaced) {
    if (!ns.empty()) errors.forbidden(path, "not allowed on this type");
  } else if (ns.empty()) {
    errors.required(path);
  } else {
    errors.invalid_each(path, ns, dns_label_faults(ns));
  }
}

// What create and update check alike.
void check_metadata_contents(FieldErrors& errors, const JsonFields& metadata) {
  check_labels(errors, object_at(metadata, "labels"), kMetadata / "labels");
  check_annotations(errors, object_at(metadata, "annotations"));
  check_owners(errors, array_at(metadata, "ownerReferences"));
}

void check_names(FieldErrors& errors, const JsonFields& metadata, NameRule rule,
                 NameRule prefix_rule) {
  const std::string_view generate = text_at(metadata, "generateName");
  if (!generate.empty())
    errors.invalid_each(kMetadata / "generateName", generate, prefix_rule(generate));
  const std::string_view name = text_at(metadata, "name");
  if (name.empty()) {
    errors.required(kMetadata / "name", "name or generateName is required");
  } else {
    errors.invalid_each(kMetadata / "name", name, rule(name));
  }
}

void check_after_names(FieldErrors& errors, const JsonFields& metadata, bool namespaced) {
  check_namespace(errors, text_at(metadata, "namespace"), namespaced);
  const std::int64_t generation = number_at(metadata, "generation");
  if (generation < 0)
    errors.invalid(kMetadata / "generation", generation, "must be greater than or equal to 0");
  check_metadata_contents(errors, metadata);
  check_metadata_finalizers(errors, metadata);
  check_managed_fields(errors, array_at(metadata, "managedFields"));
}

// A deletion that has begun lets nobody join.
void check_new_finalizers(FieldErrors& errors, const JsonFields& metadata, const JsonFields& old) {
  if (!has(old, "deletionTimestamp")) return;
  const auto listed = texts_at(old, "finalizers");
  const std::set<std::string_view> before(listed.begin(), listed.end());
  std::set<std::string_view> extra;
  for (const std::string_view finalizer : texts_at(metadata, "finalizers"))
    if (!before.contains(finalizer)) extra.insert(finalizer);
  if (extra.empty()) return;
  std::string names;
  for (const std::string_view name : extra) names += (names.empty() ? "" : ", ") + go_quote(name);
  errors.forbidden(kMetadata / "finalizers",
                   "no new finalizers can be added if the object is being deleted, found new "
                   "finalizers []string{" +
                       names + "}");
}

void check_finalizer_names(FieldErrors& errors, const JsonFields& object) {
  const auto finalizers = texts_at(object_at(object, "metadata"), "finalizers");
  for (std::size_t i = 0; i < finalizers.size(); ++i)
    if (finalizers[i].find('/') == std::string_view::npos && !is_standard_finalizer(finalizers[i]))
      errors.invalid((kMetadata / "finalizers")[i], finalizers[i],
                     "name is neither a standard finalizer name nor is it fully qualified");
}

}  // namespace

void check_labels(FieldErrors& errors, const JsonFields& labels, const FieldPath& path) {
  for (const std::string_view key : sorted_keys(labels)) {
    if (errors.full()) return;
    errors.invalid_each(path, key, qualified_name_faults(key));
    errors.invalid_each(path, text_at(labels, key), label_value_faults(text_at(labels, key)));
  }
}

void check_metadata(FieldErrors& errors, const JsonFields& object, bool namespaced, NameRule rule) {
  const JsonFields& metadata = object_at(object, "metadata");
  const std::string_view generate = text_at(metadata, "generateName");
  if (!generate.empty())
    errors.invalid_each(kMetadata / "generateName", generate,
                        rule(without_trailing_dash(generate)));
  const std::string_view name = text_at(metadata, "name");
  if (name.empty()) {
    errors.required(kMetadata / "name", "name or generateName is required");
  } else {
    errors.invalid_each(kMetadata / "name", name, rule(name));
  }
  check_after_names(errors, metadata, namespaced);
}

void check_common_metadata(FieldErrors& errors, const JsonFields& object, bool namespaced) {
  const JsonFields& metadata = object_at(object, "metadata");
  check_names(errors, metadata, path_segment_faults, path_prefix_faults);
  check_after_names(errors, metadata, namespaced);
}

void check_metadata_update(FieldErrors& errors, const JsonFields& object, const JsonFields& old) {
  const JsonFields& metadata = object_at(object, "metadata");
  const JsonFields& before = object_at(old, "metadata");
  check_new_finalizers(errors, metadata, before);
  if (text_at(metadata, "resourceVersion").empty())
    errors.invalid(kMetadata / "resourceVersion", "", "must be specified for an update");
  const std::int64_t generation = number_at(metadata, "generation");
  if (generation < number_at(before, "generation"))
    errors.invalid(kMetadata / "generation", generation, "must not be decremented");
  for (const std::string_view key : {"name", "namespace", "uid", "creationTimestamp",
                                     "deletionTimestamp", "deletionGracePeriodSeconds"})
    if (!same_member(metadata, before, key)) {
      const bool text = key == "name" || key == "namespace" || key == "uid";
      errors.invalid(
          kMetadata / key,
          text ? json::value(json::string(text_at(metadata, key))) : value_at(metadata, key),
          "field is immutable");
    }
  check_metadata_contents(errors, metadata);
  check_managed_fields(errors, array_at(metadata, "managedFields"));
}

bool is_standard_finalizer(std::string_view name) {
  return name == "kubernetes" || name == "orphan" || name == "foregroundDeletion";
}

void check_core_metadata(FieldErrors& errors, const JsonFields& object, bool namespaced,
                         NameRule rule) {
  check_metadata(errors, object, namespaced, rule);
  check_finalizer_names(errors, object);
}

void check_core_metadata_update(FieldErrors& errors, const JsonFields& object,
                                const JsonFields& old) {
  check_metadata_update(errors, object, old);
  check_finalizer_names(errors, object);
}

void keep_system_metadata(JsonFields& object, const JsonFields& old) {
  JsonFields& metadata = make_object(object, "metadata");
  const JsonFields& before = object_at(old, "metadata");
  copy_member(metadata, before, "generation");
  if (text_at(metadata, "uid").empty()) copy_member(metadata, before, "uid");
  if (has(before, "creationTimestamp")) copy_member(metadata, before, "creationTimestamp");
  if (has(before, "deletionTimestamp")) copy_member(metadata, before, "deletionTimestamp");
  if (!has(metadata, "deletionGracePeriodSeconds"))
    copy_member(metadata, before, "deletionGracePeriodSeconds");
}

}  // namespace proxima::apiserver::rules
