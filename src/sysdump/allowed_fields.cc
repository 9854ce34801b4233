// SPDX-License-Identifier: Apache-2.0
#include "sysdump/allowed_fields.h"

#include "base/check.h"
#include "core/model/labels.h"

namespace proxima::sysdump {
namespace {

// The time of the last change of a Service's Pods, by which node proxies measure their latency.
constexpr std::string_view kTriggerTimeAnnotation =
    "endpoints.kubernetes.io/last-change-trigger-time";

constexpr std::string_view kAnnotations[] = {
    model::kTopologyModeAnnotation,
    model::kTopologyAwareHintsAnnotation,
    model::kPolicyAnnotation,
    model::kOverloadAnnotation,
    model::kTopologyKeysAnnotation,
    model::kDemandAnnotation,
    model::kMinLocalEndpointsAnnotation,
    model::kNodeFirstAnnotation,
    model::kPanicAnnotation,
    model::kAutoStartAnnotation,
    model::kAutoStopAnnotation,
    model::kFailoverAnnotation,
    model::kFallbackAnnotation,
    model::kWeightAnnotation,
    model::kTrafficAnnotation,
    model::kZoneSplitAnnotation,
    model::kRoutingAnnotation,
    kTriggerTimeAnnotation,
};

constexpr AllowedField kNodeFields[] = {
    {"metadata.name"},
    {"metadata.uid"},
    {"metadata.resourceVersion"},
    {"metadata.creationTimestamp"},
    {"metadata.deletionTimestamp"},
    {"metadata.labels", Take::Texts},
    {"metadata.annotations", Take::Annotations},
    {"spec.unschedulable"},
    {"spec.podCIDRs[]"},
    {"spec.taints[].key"},
    {"status.allocatable.cpu"},
    {"status.addresses[].type"},
    {"status.addresses[].address"},
    {"status.conditions[].type"},
    {"status.conditions[].status"},
};

constexpr AllowedField kNamespaceFields[] = {
    {"metadata.name"},
    {"metadata.uid"},
    {"metadata.resourceVersion"},
    {"metadata.creationTimestamp"},
    {"metadata.deletionTimestamp"},
    {"metadata.annotations", Take::Annotations},
};

constexpr AllowedField kServiceFields[] = {
    {"metadata.namespace"},
    {"metadata.name"},
    {"metadata.uid"},
    {"metadata.resourceVersion"},
    {"metadata.creationTimestamp"},
    {"metadata.deletionTimestamp"},
    {"metadata.labels", Take::Texts},
    {"metadata.annotations", Take::Annotations},
    {"spec.type"},
    {"spec.clusterIP"},
    {"spec.clusterIPs[]"},
    {"spec.ipFamilies[]"},
    {"spec.externalIPs[]"},
    {"spec.loadBalancerSourceRanges[]"},
    {"spec.selector", Take::Texts},
    {"spec.ports[].name"},
    {"spec.ports[].protocol"},
    {"spec.ports[].appProtocol"},
    {"spec.ports[].port"},
    {"spec.ports[].targetPort"},
    {"spec.ports[].nodePort"},
    {"spec.healthCheckNodePort"},
    {"spec.internalTrafficPolicy"},
    {"spec.externalTrafficPolicy"},
    {"spec.publishNotReadyAddresses"},
    {"spec.sessionAffinity"},
    {"spec.sessionAffinityConfig.clientIP.timeoutSeconds"},
    {"spec.topologyKeys[]"},
    {"spec.trafficDistribution"},
    {"spec.trafficPolicy"},
    {"status.loadBalancer.ingress[].ip"},
    {"status.loadBalancer.ingress[].ipMode"},
    {"status.conditions[].type"},
    {"status.conditions[].status"},
    {"status.conditions[].reason"},
};

constexpr AllowedField kEndpointSliceFields[] = {
    {"metadata.namespace"},
    {"metadata.name"},
    {"metadata.generateName"},
    {"metadata.uid"},
    {"metadata.generation"},
    {"metadata.resourceVersion"},
    {"metadata.creationTimestamp"},
    {"metadata.deletionTimestamp"},
    {"metadata.labels", Take::Texts},
    {"metadata.annotations", Take::Annotations},
    {"metadata.ownerReferences[].apiVersion"},
    {"metadata.ownerReferences[].kind"},
    {"metadata.ownerReferences[].name"},
    {"metadata.ownerReferences[].uid"},
    {"metadata.ownerReferences[].controller"},
    {"addressType"},
    {"endpoints[].addresses[]"},
    {"endpoints[].conditions.ready"},
    {"endpoints[].conditions.serving"},
    {"endpoints[].conditions.terminating"},
    {"endpoints[].hostname"},
    {"endpoints[].nodeName"},
    {"endpoints[].zone"},
    {"endpoints[].topology", Take::Texts},
    {"endpoints[].hints.forZones[].name"},
    {"endpoints[].hints.forNodes[].name"},
    {"endpoints[].targetRef.kind"},
    {"endpoints[].targetRef.namespace"},
    {"endpoints[].targetRef.name"},
    {"endpoints[].targetRef.uid"},
    {"ports[].name"},
    {"ports[].protocol"},
    {"ports[].appProtocol"},
    {"ports[].port"},
};

constexpr AllowedField kPodFields[] = {
    {"metadata.namespace"},
    {"metadata.name"},
    {"metadata.uid"},
    {"metadata.resourceVersion"},
    {"metadata.creationTimestamp"},
    {"metadata.deletionTimestamp"},
    {"metadata.labels", Take::Texts},
    {"metadata.annotations", Take::Annotations},
    {"metadata.ownerReferences[].kind"},
    {"metadata.ownerReferences[].name"},
    {"metadata.ownerReferences[].controller"},
    {"spec.nodeName"},
    {"spec.nodeSelector", Take::Texts},
    {"spec.hostname"},
    {"spec.subdomain"},
    {"spec.containers[].ports[].name"},
    {"spec.containers[].ports[].protocol"},
    {"spec.containers[].ports[].containerPort"},
    {"spec.initContainers[].restartPolicy"},
    {"spec.initContainers[].ports[].name"},
    {"spec.initContainers[].ports[].protocol"},
    {"spec.initContainers[].ports[].containerPort"},
    {"status.phase"},
    {"status.podIP"},
    {"status.podIPs[].ip"},
    {"status.conditions[].type"},
    {"status.conditions[].status"},
    {"status.conditions[].lastTransitionTime"},
};

constexpr AllowedField kLeaseFields[] = {
    {"metadata.namespace"},         {"metadata.name"},       {"metadata.resourceVersion"},
    {"metadata.creationTimestamp"}, {"spec.holderIdentity"}, {"spec.leaseDurationSeconds"},
    {"spec.acquireTime"},           {"spec.renewTime"},      {"spec.leaseTransitions"},
};

constexpr AllowedField kEventFields[] = {
    {"metadata.namespace"},
    {"metadata.name"},
    {"metadata.creationTimestamp"},
    {"involvedObject.kind"},
    {"involvedObject.namespace"},
    {"involvedObject.name"},
    {"type"},
    {"reason"},
    {"message"},
    {"source.component"},
    {"reportingComponent"},
    {"firstTimestamp"},
    {"lastTimestamp"},
    {"eventTime"},
    {"count"},
    {"series.count"},
    {"series.lastObservedTime"},
};

constexpr std::string_view kEventSources[] = {"endpoint-slice-controller",
                                              "endpoint-slice-mirroring-controller", "kube-proxy"};

constexpr AllowedKind kKinds[] = {
    {"v1", "Namespace", "namespaces", kNamespaceFields},
    {"v1", "Node", "nodes", kNodeFields},
    {"v1", "Service", "services", kServiceFields},
    {"discovery.k8s.io/v1", "EndpointSlice", "endpointslices", kEndpointSliceFields},
    {"v1", "Pod", "pods", kPodFields},
    {"coordination.k8s.io/v1", "Lease", "leases", kLeaseFields},
    {"v1", "Event", "events", kEventFields, kEventSources},
};

std::string path_text(const AllowedField& field) {
  std::string text = "`" + std::string(field.path);
  if (field.take == Take::Texts) text += ".*";
  text += '`';
  if (field.take == Take::Annotations) text += " (see below)";
  return text;
}

}  // namespace

std::span<const AllowedKind> allowed_kinds() { return kKinds; }

const AllowedKind& allowed_kind(std::string_view plural) {
  for (const AllowedKind& kind : kKinds) {
    if (kind.plural == plural) return kind;
  }
  check_failed("a sysdump has these objects", __FILE_NAME__, __LINE__);
}

std::span<const std::string_view> allowed_annotations() { return kAnnotations; }

std::string allowed_fields_markdown() {
  std::string out = "| kind | fields |\n|---|---|\n";
  for (const AllowedKind& kind : kKinds) {
    out += "| " + std::string(kind.kind) + " | ";
    for (const AllowedField& field : kind.fields)
      out += (&field == kind.fields.data() ? "" : ", ") + path_text(field);
    out += " |\n";
  }
  out += "\nAnnotations: ";
  for (const std::string_view& key : kAnnotations)
    out += (&key == kAnnotations ? "`" : ", `") + std::string(key) + "`";
  return out + ".\n";
}

}  // namespace proxima::sysdump
