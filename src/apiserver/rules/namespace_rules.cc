// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/json/value.hpp>

#include "apiserver/rules/kind_rules.h"
#include "apiserver/rules/metadata_rules.h"

namespace proxima::apiserver::rules {
namespace {

constexpr std::string_view kFinalizer = "kubernetes";
constexpr std::string_view kNameLabel = "kubernetes.io/metadata.name";

void label_with_name(JsonFields& ns) {
  JsonFields& metadata = make_object(ns, "metadata");
  const std::string name(text_at(metadata, "name"));
  if (!name.empty()) make_object(metadata, "labels")[kNameLabel] = name;
}

void apply_namespace_defaults(JsonFields& ns) {
  label_with_name(ns);
  default_text(make_object(ns, "status"), "phase", "Active");
}

void prepare_namespace_create(JsonFields& ns) {
  label_with_name(ns);  // once more: a generated name is known only now
  ns["status"] = {{"phase", "Active"}};
  JsonFields& spec = make_object(ns, "spec");
  const auto finalizers = texts_at(spec, "finalizers");
  if (std::find(finalizers.begin(), finalizers.end(), kFinalizer) != finalizers.end()) return;
  if (find_array(spec, "finalizers") == nullptr) spec["finalizers"] = JsonArray();
  spec["finalizers"].as_array().emplace_back(kFinalizer);
}

void prepare_namespace_update(Subresource subresource, JsonFields& ns, const JsonFields& old) {
  keep_other_half(subresource, ns, old);
  if (subresource == Subresource::None)
    copy_member(make_object(ns, "spec"), object_at(old, "spec"), "finalizers");
}

void check_finalizers(FieldErrors& errors, const JsonFields& ns) {
  const FieldPath path("spec.finalizers");
  for (const std::string_view name : texts_at(object_at(ns, "spec"), "finalizers")) {
    errors.invalid_each(path, name, qualified_name_faults(name));
    if (name.find('/') == std::string_view::npos && !is_standard_finalizer(name))
      errors.invalid(path, name,
                     "name is neither a standard finalizer name nor is it fully qualified");
  }
}

void check_namespace_create(FieldErrors& errors, const JsonFields& ns) {
  check_core_metadata(errors, ns, false, dns_label_faults);
  check_finalizers(errors, ns);
}

void check_phase(FieldErrors& errors, const JsonFields& ns) {
  const std::string_view phase = text_at(object_at(ns, "status"), "phase");
  const bool deleted = has(object_at(ns, "metadata"), "deletionTimestamp");
  const FieldPath path("status.Phase");
  if (!deleted && phase != "Active")
    errors.invalid(path, phase, "may only be 'Active' if `deletionTimestamp` is empty");
  if (deleted && phase != "Terminating")
    errors.invalid(path, phase, "may only be 'Terminating' if `deletionTimestamp` is not empty");
}

void check_namespace_update(FieldErrors& errors, Subresource subresource, const JsonFields& ns,
                            const JsonFields& old) {
  if (subresource == Subresource::None) check_namespace_create(errors, ns);
  check_core_metadata_update(errors, ns, old);
  if (subresource == Subresource::Status) check_phase(errors, ns);
}

}  // namespace

const KindRules kNamespaceRules = {.apply_defaults = apply_namespace_defaults,
                                   .prepare_create = prepare_namespace_create,
                                   .prepare_update = prepare_namespace_update,
                                   .check_create = check_namespace_create,
                                   .check_update = check_namespace_update};

}  // namespace proxima::apiserver::rules
