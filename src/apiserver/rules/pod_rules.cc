// SPDX-License-Identifier: Apache-2.0
#include <boost/json/value.hpp>
#include <limits>

#include "apiserver/rules/ip_rules.h"
#include "apiserver/rules/kind_rules.h"
#include "apiserver/rules/metadata_rules.h"
#include "apiserver/rules/pod_parts.h"
#include "apiserver/rules/shared_fields.h"
#include "apiserver/rules/taint_rules.h"

namespace proxima::apiserver::rules {
namespace {

constexpr std::string_view kPodRestartPolicies[] = {"Always", "OnFailure", "Never"};
constexpr std::string_view kDnsPolicies[] = {"ClusterFirstWithHostNet", "ClusterFirst", "Default",
                                             "None"};

void prepare_pod_create(JsonFields& pod) {
  make_object(pod, "metadata")["generation"] = 1;
  pod["status"] = {{"phase", "Pending"}, {"qosClass", quality_of_service(object_at(pod, "spec"))}};
  if (!array_at(object_at(pod, "spec"), "schedulingGates").empty())
    pod["status"].as_object()["conditions"] = {
        {{"type", "PodScheduled"},
         {"status", "False"},
         {"reason", "SchedulingGated"},
         {"message", "Scheduling is blocked due to non-empty scheduling gates"}}};
}

void prepare_pod_status(JsonFields& pod, const JsonFields& old) {
  JsonFields& metadata = make_object(pod, "metadata");
  const JsonFields& before = object_at(old, "metadata");
  copy_member(metadata, before, "deletionTimestamp");
  copy_member(metadata, before, "ownerReferences");
  JsonFields& status = make_object(pod, "status");
  if (text_at(status, "qosClass").empty())
    copy_member(status, object_at(old, "status"), "qosClass");
}

// The list of addresses and its first entry are one field in two places.
void sync_ips(JsonFields& status, std::string_view one, std::string_view list) {
  const JsonArray& ips = array_at(status, list);
  const std::string first(ips.empty() ? std::string_view() : text_at(object_of(ips.front()), "ip"));
  const std::string single(text_at(status, one));
  if (single.empty() && !first.empty()) status[one] = first;
  if (!single.empty() && single != first)
    status[list] = JsonArray{boost::json::object{{"ip", boost::json::string(single)}}};
}

void apply_defaults_and_sync(JsonFields& pod) {
  apply_pod_defaults(pod);
  if (JsonFields* const status = find_object(pod, "status")) sync_ips(*status, "podIP", "podIPs");
}

void prepare_pod_update(Subresource subresource, JsonFields& pod, const JsonFields& old) {
  keep_other_half(subresource, pod, old);
  if (subresource == Subresource::Status) return prepare_pod_status(pod, old);
  JsonFields& metadata = make_object(pod, "metadata");
  if (!same_member(pod, old, "spec"))
    metadata["generation"] = number_at(object_at(old, "metadata"), "generation") + 1;
}

void check_metadata_and_spec(FieldErrors& errors, const JsonFields& pod) {
  check_core_metadata(errors, pod, true, dns_subdomain_faults);
  check_pod_spec(errors, object_at(pod, "spec"));
}

void check_pod_create(FieldErrors& errors, const JsonFields& pod) {
  check_metadata_and_spec(errors, pod);
  const JsonFields& spec = object_at(pod, "spec");
  if (!array_at(spec, "ephemeralContainers").empty())
    errors.forbidden(kSpec / "ephemeralContainers", "cannot be set on create");
  if (!text_at(spec, "nodeName").empty() && !array_at(spec, "schedulingGates").empty())
    errors.forbidden(kSpec / "nodeName",
                     "cannot be set until all schedulingGates have been cleared");
}

void check_pod_update(FieldErrors& errors, Subresource subresource, const JsonFields& pod,
                      const JsonFields& old) {
  check_core_metadata_update(errors, pod, old);
  if (subresource == Subresource::Status) return check_pod_status(errors, pod, old);
  check_metadata_and_spec(errors, pod);
  check_pod_spec_update(errors, object_at(pod, "spec"), object_at(old, "spec"));
}

void warn_pod(std::vector<std::string>& warnings, const JsonFields& pod, const JsonFields* old) {
  if (old != nullptr) return;
  const Faults faults = dns_label_faults(text_at(object_at(pod, "metadata"), "name"));
  if (!faults.empty())
    warnings.push_back(
        "metadata.name: this is used in the Pod's hostname, which can result in surprising "
        "behavior; a DNS label is recommended: [" +
        joined(faults, " ") + "]");
}

void check_blank_images(FieldErrors& errors, const JsonFields& spec) {
  for (const std::string_view key : {"containers", "initContainers"}) {
    const JsonArray& containers = array_at(spec, key);
    for (std::size_t i = 0; i < containers.size(); ++i) {
      const std::string_view image = text_at(object_of(containers[i]), "image");
      if (!image.empty() && (image.front() == ' ' || image.back() == ' '))
        errors.invalid((kSpec / key)[i] / "image", image,
                       "must not have leading or trailing whitespace");
    }
  }
}

void check_host_network(FieldErrors& errors, const JsonFields& spec) {
  if (!flag_at(spec, "hostNetwork")) return;
  const JsonArray& containers = array_at(spec, "containers");
  for (std::size_t i = 0; i < containers.size(); ++i) {
    const JsonArray& ports = array_at(object_of(containers[i]), "ports");
    for (std::size_t j = 0; j < ports.size(); ++j) {
      const JsonFields& port = object_of(ports[j]);
      if (number_at(port, "hostPort") != number_at(port, "containerPort"))
        errors.invalid(((kSpec / "containers")[i] / "ports")[j] / "hostPort",
                       number_at(port, "hostPort"),
                       "must match `containerPort` when `hostNetwork` is true");
    }
  }
}

void check_gates(FieldErrors& errors, const JsonFields& spec) {
  const JsonArray& gates = array_at(spec, "readinessGates");
  for (std::size_t i = 0; i < gates.size(); ++i) {
    const std::string_view type = text_at(object_of(gates[i]), "conditionType");
    errors.invalid_each((kSpec / "readinessGates")[i] / "conditionType", type,
                        qualified_name_faults(type));
  }
}

void check_names(FieldErrors& errors, const JsonFields& spec) {
  const auto check = [&](std::string_view key, NameRule rule) {
    const std::string_view text = text_at(spec, key);
    if (!text.empty()) errors.invalid_each(kSpec / key, text, rule(text));
  };
  check("serviceAccountName", dns_subdomain_faults);
  check("nodeName", dns_subdomain_faults);
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const auto deadline = find_number(spec, "activeDeadlineSeconds");
  if (deadline && (*deadline < 1 || *deadline > kMost))
    errors.invalid(kSpec / "activeDeadlineSeconds", *deadline,
                   "must be between 1 and 2147483647, inclusive");
  check("hostname", dns_label_faults);
  check("subdomain", dns_label_faults);
  check_tolerations(errors, array_at(spec, "tolerations"), kSpec / "tolerations");
  check("priorityClassName", dns_subdomain_faults);
}

}  // namespace

void check_pod_spec(FieldErrors& errors, const JsonFields& spec) {
  check_volumes(errors, spec);
  check_containers(errors, spec);
  check_host_network(errors, spec);
  errors.one_of(kSpec / "restartPolicy", text_at(spec, "restartPolicy"), kPodRestartPolicies);
  errors.one_of(kSpec / "dnsPolicy", text_at(spec, "dnsPolicy"), kDnsPolicies);
  check_labels(errors, object_at(spec, "nodeSelector"), kSpec / "nodeSelector");
  check_gates(errors, spec);
  check_names(errors, spec);
  check_blank_images(errors, spec);
}

const KindRules kPodRules = {.apply_defaults = apply_defaults_and_sync,
                             .prepare_create = prepare_pod_create,
                             .prepare_update = prepare_pod_update,
                             .check_create = check_pod_create,
                             .check_update = check_pod_update,
                             .warn = warn_pod};

}  // namespace proxima::apiserver::rules
