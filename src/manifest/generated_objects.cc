// SPDX-License-Identifier: Apache-2.0
#include "manifest/generated_objects.h"

#include "core/model/labels.h"

namespace proxima::manifest {
namespace {

constexpr std::string_view kCreated = "2026-01-05T08:30:00Z";
constexpr std::uint64_t kPolicyStream = 0x901;
constexpr std::uint64_t kNodeStream = 0x40de;
constexpr std::uint64_t kUidStream = 0x71d;

struct MachineSize {
  std::string_view type;
  std::string_view cpu;
  std::string_view allocatable_cpu;
  std::string_view memory;
};
constexpr MachineSize kMachines[] = {
    {"standard-4", "4", "3920m", "15922832Ki"},
    {"standard-8", "8", "7910m", "32094192Ki"},
    {"standard-16", "16", "15890m", "64436936Ki"},
};

// A version-4 UUID of its own for everything.
std::string uid(std::uint64_t seed, std::uint64_t number) {
  constexpr std::string_view kHex = "0123456789abcdef";
  SplitMix random(seed ^ kUidStream, number);
  std::string text;
  for (std::size_t i = 0; i < 36; ++i) {
    const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
    text += dash ? '-' : i == 14 ? '4' : i == 19 ? "89ab"[random.below(4)] : kHex[random.below(16)];
  }
  return text;
}

void write_condition(ObjectWriter& out, std::string_view type, bool holds) {
  out.begin_map();
  out.text("lastProbeTime", kCreated);
  out.text("lastTransitionTime", kCreated);
  out.text("status", holds ? "True" : "False");
  out.text("type", type);
  out.end();
}

void write_environment(ObjectWriter& out, std::string_view name, std::string_view value) {
  out.begin_map();
  out.text("name", name);
  out.text("value", value);
  out.end();
}

void write_environment_field(ObjectWriter& out, std::string_view name, std::string_view path) {
  out.begin_map();
  out.text("name", name);
  out.begin_map("valueFrom");
  out.begin_map("fieldRef");
  out.text("apiVersion", "v1");
  out.text("fieldPath", path);
  out.end();
  out.end();
  out.end();
}

void write_probe(ObjectWriter& out, std::string_view key, std::string_view path) {
  out.begin_map(key);
  out.number("failureThreshold", 3);
  out.begin_map("httpGet");
  out.text("path", path);
  out.text("port", "http");
  out.text("scheme", "HTTP");
  out.end();
  out.number("periodSeconds", 10);
  out.number("successThreshold", 1);
  out.number("timeoutSeconds", 1);
  out.end();
}

void write_resources(ObjectWriter& out) {
  out.begin_map("resources");
  for (const char* key : {"limits", "requests"}) {
    out.begin_map(key);
    out.text("cpu", key == std::string_view("limits") ? "1" : "250m");
    out.text("memory", key == std::string_view("limits") ? "512Mi" : "256Mi");
    out.end();
  }
  out.end();
}

void write_token_mount(ObjectWriter& out) {
  out.begin_list("volumeMounts");
  out.begin_map();
  out.text("mountPath", "/var/run/secrets/kubernetes.io/serviceaccount");
  out.text("name", "kube-api-access");
  out.boolean("readOnly", true);
  out.end();
  out.end();
}

void write_container(ObjectWriter& out, std::string_view image) {
  out.begin_list("containers");
  out.begin_map();
  out.begin_list("env");
  write_environment(out, "LOG_LEVEL", "info");
  write_environment(out, "LISTEN", "0.0.0.0:8080");
  write_environment_field(out, "POD_NAME", "metadata.name");
  write_environment_field(out, "NODE_NAME", "spec.nodeName");
  out.end();
  out.text("image", image);
  out.text("imagePullPolicy", "IfNotPresent");
  write_probe(out, "livenessProbe", "/healthz");
  out.text("name", "app");
  out.begin_list("ports");
  out.begin_map();
  out.number("containerPort", 8080);
  out.text("name", "http");
  out.text("protocol", "TCP");
  out.end();
  out.end();
  write_probe(out, "readinessProbe", "/readyz");
  write_resources(out);
  out.text("terminationMessagePath", "/dev/termination-log");
  out.text("terminationMessagePolicy", "File");
  write_token_mount(out);
  out.end();
  out.end();
}

void write_tolerations(ObjectWriter& out) {
  out.begin_list("tolerations");
  for (const char* key : {"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"}) {
    out.begin_map();
    out.text("effect", "NoExecute");
    out.text("key", key);
    out.text("operator", "Exists");
    out.number("tolerationSeconds", 300);
    out.end();
  }
  out.end();
}

void write_token_volume(ObjectWriter& out) {
  out.begin_list("volumes");
  out.begin_map();
  out.text("name", "kube-api-access");
  out.begin_map("projected");
  out.number("defaultMode", 420);
  out.begin_list("sources");
  out.begin_map();
  out.begin_map("serviceAccountToken");
  out.number("expirationSeconds", 3607);
  out.text("path", "token");
  out.end();
  out.end();
  out.end();
  out.end();
  out.end();
  out.end();
}

}  // namespace

ObjectWriter GeneratedObjects::begin(std::string_view api_version, std::string_view kind) const {
  ObjectWriter out(options_.format, options_.format == TextFormat::Json ? 2 : 0);
  out.begin_map();
  out.text("apiVersion", api_version);
  out.text("kind", kind);
  return out;
}

std::string GeneratedObjects::node(std::size_t index) const {
  const std::uint64_t seed = cluster_.shape().seed;
  const std::size_t zone = cluster_.zone_of_node(index);
  const MachineSize& machine = kMachines[SplitMix(seed ^ kNodeStream, index).below(3)];
  const std::string name = cluster_.node_name(index);
  ObjectWriter out = begin("v1", "Node");
  out.begin_map("metadata");
  out.text("creationTimestamp", kCreated);
  out.begin_map("labels");
  out.text("kubernetes.io/arch", "amd64");
  out.text(model::kHostnameLabel, name);
  out.text("kubernetes.io/os", "linux");
  out.text("node.kubernetes.io/instance-type", machine.type);
  out.text(model::kRegionLabel, cluster_.region_name(cluster_.region_of_zone(zone)));
  out.text(model::kZoneLabel, cluster_.zone_name(zone));
  out.end();
  if (options_.managed_fields) write_managed_fields(out, "kubelet");
  out.text("name", name);
  out.text("uid", uid(seed, ~index));
  out.end();
  out.begin_map("spec");
  out.text("providerID", "example:///" + cluster_.zone_name(zone) + "/" + name);
  out.end();
  out.begin_map("status");
  out.begin_list("addresses");
  out.begin_map();
  out.text("address", GeneratedCluster::node_address(index));
  out.text("type", "InternalIP");
  out.end();
  out.end();
  for (const char* key : {"allocatable", "capacity"}) {
    const bool allocatable = key == std::string_view("allocatable");
    out.begin_map(key);
    out.text("cpu", allocatable ? machine.allocatable_cpu : machine.cpu);
    out.text("memory", machine.memory);
    out.text("pods", "110");
    out.end();
  }
  out.begin_list("conditions");
  for (const char* type : {"MemoryPressure", "DiskPressure", "PIDPressure"})
    write_condition(out, type, false);
  write_condition(out, "Ready", true);
  out.end();
  out.begin_map("nodeInfo");
  out.text("architecture", "amd64");
  out.text("containerRuntimeVersion", "containerd://2.0.4");
  out.text("kernelVersion", "6.12.0");
  out.text("kubeletVersion", "v1.36.4");
  out.text("operatingSystem", "linux");
  out.end();
  out.end();
  out.end();
  return out.take();
}

std::string GeneratedObjects::ns(std::size_t index) const {
  const std::size_t services = cluster_.services().size();
  // The first service of the namespace: services are dealt out in blocks.
  const std::size_t first = (index * services + cluster_.namespaces() - 1) / cluster_.namespaces();
  const std::string& name = cluster_.services()[first].ns;
  ObjectWriter out = begin("v1", "Namespace");
  out.begin_map("metadata");
  out.begin_map("labels");
  out.text("kubernetes.io/metadata.name", name);
  out.end();
  out.text("name", name);
  out.end();
  out.begin_map("spec");
  out.begin_list("finalizers");
  out.text("", "kubernetes");
  out.end();
  out.end();
  out.begin_map("status");
  out.text("phase", "Active");
  out.end();
  out.end();
  return out.take();
}

PolicyMix GeneratedObjects::policy_of(std::size_t service) const {
  if (options_.policy_mix != PolicyMix::Mixed) return options_.policy_mix;
  constexpr PolicyMix kTwenty[] = {
      PolicyMix::None,           PolicyMix::None,           PolicyMix::None,
      PolicyMix::None,           PolicyMix::None,           PolicyMix::None,
      PolicyMix::None,           PolicyMix::None,           PolicyMix::Auto,
      PolicyMix::Auto,           PolicyMix::Auto,           PolicyMix::PreferSameZone,
      PolicyMix::PreferSameZone, PolicyMix::PreferSameZone, PolicyMix::PreferSameNode,
      PolicyMix::TopologyKeys,   PolicyMix::Balanced,       PolicyMix::Balanced,
      PolicyMix::Balanced,       PolicyMix::Balanced};
  return kTwenty[SplitMix(cluster_.shape().seed ^ kPolicyStream, service).below(20)];
}

// The annotations of a Service; the distribution is a field.
void GeneratedObjects::write_policy(ObjectWriter& out, std::size_t service) const {
  SplitMix random(cluster_.shape().seed ^ kPolicyStream, service);
  random.next();
  const PolicyMix policy = policy_of(service);
  if (policy != PolicyMix::Auto && policy != PolicyMix::TopologyKeys &&
      policy != PolicyMix::Balanced)
    return;
  out.begin_map("annotations");
  if (policy == PolicyMix::Auto) out.text(model::kTopologyModeAnnotation, "Auto");
  if (policy == PolicyMix::TopologyKeys) {
    constexpr std::string_view kZoneThenAny = "topology.kubernetes.io/zone,*";
    constexpr std::string_view kNodeFirst =
        "kubernetes.io/hostname,topology.kubernetes.io/zone,topology.kubernetes.io/region,*";
    out.text(model::kTopologyKeysAnnotation, random.below(2) == 0 ? kZoneThenAny : kNodeFirst);
  }
  if (policy == PolicyMix::Balanced) {
    constexpr std::string_view kOverloads[] = {"10%", "20%", "50%"};
    out.text(model::kOverloadAnnotation, kOverloads[random.below(3)]);
    out.text(model::kPolicyAnnotation, "balanced");
  }
  out.end();
}

std::string GeneratedObjects::service(std::size_t index) const {
  const GeneratedService& service = cluster_.services()[index];
  const std::string address = GeneratedCluster::service_address(index);
  ObjectWriter out = begin("v1", "Service");
  out.begin_map("metadata");
  write_policy(out, index);
  out.text("creationTimestamp", kCreated);
  out.begin_map("labels");
  out.text("app.kubernetes.io/name", service.name);
  out.end();
  if (options_.managed_fields) write_managed_fields(out, "kubectl-client-side-apply");
  out.text("name", service.name);
  out.text("namespace", service.ns);
  out.text("uid", uid(cluster_.shape().seed ^ 1, index));
  out.end();
  out.begin_map("spec");
  out.text("clusterIP", address);
  out.begin_list("clusterIPs");
  out.text("", address);
  out.end();
  out.text("internalTrafficPolicy", "Cluster");
  out.begin_list("ipFamilies");
  out.text("", "IPv4");
  out.end();
  out.text("ipFamilyPolicy", "SingleStack");
  out.begin_list("ports");
  out.begin_map();
  out.text("name", "http");
  out.number("port", 80);
  out.text("protocol", "TCP");
  out.text("targetPort", "http");
  out.end();
  out.end();
  out.begin_map("selector");
  out.text("app.kubernetes.io/name", service.name);
  out.end();
  out.text("sessionAffinity", "None");
  const PolicyMix policy = policy_of(index);
  SplitMix spelling(cluster_.shape().seed ^ kPolicyStream, ~index);
  if (policy == PolicyMix::PreferSameZone)
    out.text("trafficDistribution", spelling.below(3) == 0 ? "PreferClose" : "PreferSameZone");
  if (policy == PolicyMix::PreferSameNode) out.text("trafficDistribution", "PreferSameNode");
  out.text("type", "ClusterIP");
  out.end();
  out.begin_map("status");
  out.begin_map("loadBalancer");
  out.end();
  out.end();
  out.end();
  return out.take();
}

void GeneratedObjects::write_managed_fields(ObjectWriter& out, std::string_view manager) const {
  out.begin_list("managedFields");
  for (const char* operation : {"Apply", "Update"}) {
    out.begin_map();
    out.text("apiVersion", "v1");
    out.text("fieldsType", "FieldsV1");
    out.begin_map("fieldsV1");
    out.begin_map("f:metadata");
    out.begin_map("f:labels");
    for (const char* field : {".", "f:app.kubernetes.io/name", "f:pod-template-hash"}) {
      out.begin_map(field);
      out.end();
    }
    out.end();
    out.end();
    out.end();
    out.text("manager", manager);
    out.text("operation", operation);
    out.text("time", kCreated);
    out.end();
  }
  out.end();
}

void GeneratedObjects::write_pod_metadata(ObjectWriter& out, const GeneratedService& owner,
                                          const GeneratedPod& pod) const {
  const std::string replica_set = owner.name + "-" + pod.template_hash;
  out.begin_map("metadata");
  out.begin_map("annotations");
  out.text("prometheus.io/port", "8080");
  out.text("prometheus.io/scrape", "true");
  out.end();
  out.text("creationTimestamp", kCreated);
  out.text("generateName", replica_set + "-");
  out.begin_map("labels");
  out.text("app.kubernetes.io/managed-by", "Helm");
  out.text("app.kubernetes.io/name", owner.name);
  out.text("pod-template-hash", pod.template_hash);
  out.end();
  if (options_.managed_fields) write_managed_fields(out, "kube-controller-manager");
  out.text("name", pod.name);
  out.text("namespace", owner.ns);
  out.begin_list("ownerReferences");
  out.begin_map();
  out.text("apiVersion", "apps/v1");
  out.boolean("blockOwnerDeletion", true);
  out.boolean("controller", true);
  out.text("kind", "ReplicaSet");
  out.text("name", replica_set);
  out.text("uid", uid(cluster_.shape().seed ^ 2, owner.first_pod));
  out.end();
  out.end();
  out.text("resourceVersion", std::to_string(1'000'000 + pod.number));
  out.text("uid", uid(cluster_.shape().seed ^ 3, pod.number));
  out.end();
}

void GeneratedObjects::write_pod_spec(ObjectWriter& out, const GeneratedService& owner,
                                      const GeneratedPod& pod) const {
  out.begin_map("spec");
  write_container(out, "registry.example/" + owner.name + ":1.4.2");
  out.text("dnsPolicy", "ClusterFirst");
  out.boolean("enableServiceLinks", true);
  out.text("nodeName", cluster_.node_name(pod.node));
  out.text("preemptionPolicy", "PreemptLowerPriority");
  out.number("priority", 0);
  out.text("restartPolicy", "Always");
  out.text("schedulerName", "default-scheduler");
  out.begin_map("securityContext");
  out.end();
  out.text("serviceAccountName", "default");
  out.number("terminationGracePeriodSeconds", 30);
  write_tolerations(out);
  write_token_volume(out);
  out.end();
}

void GeneratedObjects::write_pod_status(ObjectWriter& out, const GeneratedService& owner,
                                        const GeneratedPod& pod) const {
  const std::string address = GeneratedCluster::pod_address(pod.number);
  out.begin_map("status");
  out.begin_list("conditions");
  for (const char* type : {"PodReadyToStartContainers", "Initialized", "PodScheduled"})
    write_condition(out, type, true);
  for (const char* type : {"Ready", "ContainersReady"}) write_condition(out, type, pod.ready);
  out.end();
  out.begin_list("containerStatuses");
  out.begin_map();
  out.text("image", "registry.example/" + owner.name + ":1.4.2");
  out.text("name", "app");
  out.boolean("ready", pod.ready);
  out.number("restartCount", 0);
  out.boolean("started", true);
  out.begin_map("state");
  out.begin_map("running");
  out.text("startedAt", kCreated);
  out.end();
  out.end();
  out.end();
  out.end();
  out.text("hostIP", GeneratedCluster::node_address(pod.node));
  out.text("phase", "Running");
  out.text("podIP", address);
  out.begin_list("podIPs");
  out.begin_map();
  out.text("ip", address);
  out.end();
  out.end();
  out.text("qosClass", "Burstable");
  out.text("startTime", kCreated);
  out.end();
}

std::string GeneratedObjects::pod(std::size_t service, std::size_t index) const {
  const GeneratedService& owner = cluster_.services()[service];
  const GeneratedPod pod = cluster_.pod(service, index);
  ObjectWriter out = begin("v1", "Pod");
  write_pod_metadata(out, owner, pod);
  write_pod_spec(out, owner, pod);
  write_pod_status(out, owner, pod);
  out.end();
  return out.take();
}

}  // namespace proxima::manifest
