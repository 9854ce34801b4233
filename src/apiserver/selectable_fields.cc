// SPDX-License-Identifier: Apache-2.0
#include "apiserver/selectable_fields.h"

#include <algorithm>
#include <boost/json/value.hpp>

#include "apiserver/json_lookup.h"
#include "base/go_quote.h"

namespace proxima::apiserver {
namespace {

using Places = std::span<const std::string_view>;

constexpr std::string_view kNamePath[] = {"metadata.name"};
constexpr std::string_view kNamespace[] = {"metadata.namespace"};
constexpr std::string_view kNodeName[] = {"spec.nodeName"};
constexpr std::string_view kRestartPolicy[] = {"spec.restartPolicy"};
constexpr std::string_view kSchedulerName[] = {"spec.schedulerName"};
constexpr std::string_view kServiceAccountName[] = {"spec.serviceAccountName"};
constexpr std::string_view kHostNetwork[] = {"spec.hostNetwork"};
constexpr std::string_view kPhase[] = {"status.phase"};
constexpr std::string_view kPodIp[] = {"status.podIPs.0.ip", "status.podIP"};
constexpr std::string_view kNominatedNodeName[] = {"status.nominatedNodeName"};
constexpr std::string_view kUnschedulable[] = {"spec.unschedulable"};
constexpr std::string_view kClusterIp[] = {"spec.clusterIP"};
constexpr std::string_view kServiceType[] = {"spec.type"};
constexpr std::string_view kObjectKind[] = {"involvedObject.kind", "regarding.kind"};
constexpr std::string_view kObjectNamespace[] = {"involvedObject.namespace", "regarding.namespace"};
constexpr std::string_view kObjectName[] = {"involvedObject.name", "regarding.name"};
constexpr std::string_view kObjectUid[] = {"involvedObject.uid", "regarding.uid"};
constexpr std::string_view kObjectVersion[] = {"involvedObject.apiVersion", "regarding.apiVersion"};
constexpr std::string_view kObjectRevision[] = {"involvedObject.resourceVersion",
                                                "regarding.resourceVersion"};
constexpr std::string_view kObjectField[] = {"involvedObject.fieldPath", "regarding.fieldPath"};
constexpr std::string_view kReason[] = {"reason"};
constexpr std::string_view kReporter[] = {"reportingComponent", "reportingController"};
constexpr std::string_view kSource[] = {"source.component", "deprecatedSource.component",
                                        "reportingComponent", "reportingController"};
constexpr std::string_view kEventType[] = {"type"};

constexpr SelectableField kMetadata[] = {
    {"metadata.name", kNamePath, ""},
    {"metadata.namespace", kNamespace, ""},
};

constexpr SelectableField kPod[] = {
    {"metadata.name", kNamePath, ""},
    {"metadata.namespace", kNamespace, ""},
    {"spec.nodeName", kNodeName, ""},
    {"spec.host", kNodeName, ""},  // clients of long ago
    {"spec.restartPolicy", kRestartPolicy, ""},
    {"spec.schedulerName", kSchedulerName, ""},
    {"spec.serviceAccountName", kServiceAccountName, ""},
    {"spec.hostNetwork", kHostNetwork, "false"},
    {"status.phase", kPhase, ""},
    {"status.podIP", kPodIp, ""},
    {"status.podIPs", {}, ""},  // upstream takes the label and knows no value for it
    {"status.nominatedNodeName", kNominatedNodeName, ""},
};

constexpr SelectableField kNode[] = {
    {"metadata.name", kNamePath, ""},
    {"spec.unschedulable", kUnschedulable, "false"},
};

constexpr SelectableField kNamespaceKind[] = {
    {"metadata.name", kNamePath, ""},
    {"status.phase", kPhase, ""},
};

constexpr SelectableField kService[] = {
    {"metadata.name", kNamePath, ""},
    {"metadata.namespace", kNamespace, ""},
    {"spec.clusterIP", kClusterIp, ""},
    {"spec.type", kServiceType, ""},
};

constexpr SelectableField kEvent[] = {
    {"involvedObject.kind", kObjectKind, ""},
    {"involvedObject.namespace", kObjectNamespace, ""},
    {"involvedObject.name", kObjectName, ""},
    {"involvedObject.uid", kObjectUid, ""},
    {"involvedObject.apiVersion", kObjectVersion, ""},
    {"involvedObject.resourceVersion", kObjectRevision, ""},
    {"involvedObject.fieldPath", kObjectField, ""},
    {"reason", kReason, ""},
    {"reportingComponent", kReporter, ""},
    {"source", kSource, ""},
    {"type", kEventType, ""},
    {"metadata.namespace", kNamespace, ""},
    {"metadata.name", kNamePath, ""},
};

constexpr SelectableField kEventsV1[] = {
    {"regarding.kind", kObjectKind, ""},
    {"regarding.namespace", kObjectNamespace, ""},
    {"regarding.name", kObjectName, ""},
    {"regarding.uid", kObjectUid, ""},
    {"regarding.apiVersion", kObjectVersion, ""},
    {"regarding.resourceVersion", kObjectRevision, ""},
    {"regarding.fieldPath", kObjectField, ""},
    {"reason", kReason, ""},
    {"reportingController", kReporter, ""},
    {"type", kEventType, ""},
    {"metadata.namespace", kNamespace, ""},
    {"metadata.name", kNamePath, ""},
};

std::span<const SelectableField> fields_of(Kind kind) {
  switch (kind) {
    case Kind::Pod:
      return kPod;
    case Kind::Node:
      return kNode;
    case Kind::Namespace:
      return kNamespaceKind;
    case Kind::Service:
      return kService;
    case Kind::Event:
      return kEvent;
    case Kind::EventsV1:
      return kEventsV1;
    default:
      return kMetadata;
  }
}

std::string_view field_text(const boost::json::value* value) {
  if (value == nullptr) return {};
  if (value->is_bool()) return value->get_bool() ? "true" : "false";
  return value->is_string() ? std::string_view(value->get_string()) : std::string_view();
}

}  // namespace

const SelectableField* find_selectable_field(const ResourceType& type, std::string_view label) {
  const auto fields = fields_of(type.kind);
  const auto found = std::ranges::find(fields, label, &SelectableField::label);
  return found == fields.end() ? nullptr : &*found;
}

std::string unselectable_field(const ResourceType& type, std::string_view label) {
  if (fields_of(type.kind).data() != kMetadata)
    return "field label not supported: " + std::string(label);
  return go_quote(label) +
         " is not a known field selector: only \"metadata.name\", \"metadata.namespace\"";
}

std::string_view selectable_value(const SelectableField& field, const boost::json::object& object) {
  for (const std::string_view place : field.places) {
    const std::string_view text = field_text(find_at(object, place));
    if (!text.empty()) return text;
  }
  return field.otherwise;
}

}  // namespace proxima::apiserver
