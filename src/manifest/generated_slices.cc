// SPDX-License-Identifier: Apache-2.0
#include "core/model/labels.h"
#include "manifest/generated_objects.h"

namespace proxima::manifest {
namespace {

void write_endpoint(ObjectWriter& out, const GeneratedCluster& cluster,
                    const GeneratedService& service, const GeneratedPod& pod) {
  out.begin_map();
  out.begin_list("addresses");
  out.text("", GeneratedCluster::pod_address(pod.number));
  out.end();
  out.begin_map("conditions");
  out.boolean("ready", pod.ready);
  out.boolean("serving", pod.ready);
  out.boolean("terminating", false);
  out.end();
  out.text("nodeName", cluster.node_name(pod.node));
  out.begin_map("targetRef");
  out.text("kind", "Pod");
  out.text("name", pod.name);
  out.text("namespace", service.ns);
  out.end();
  out.text("zone", cluster.zone_name(cluster.zone_of_node(pod.node)));
  out.end();
}

}  // namespace

std::string GeneratedObjects::slice(std::size_t service, std::size_t first_pod,
                                    std::size_t pods) const {
  const GeneratedService& owner = cluster_.services()[service];
  ObjectWriter out = begin("discovery.k8s.io/v1", "EndpointSlice");
  out.text("addressType", "IPv4");
  out.begin_list("endpoints");
  for (std::size_t i = 0; i < pods; ++i)
    write_endpoint(out, cluster_, owner, cluster_.pod(service, first_pod + i));
  out.end();
  out.begin_map("metadata");
  out.begin_map("labels");
  out.text("app.kubernetes.io/name", owner.name);
  out.text(model::kManagedByLabel, "endpointslice-controller.k8s.io");
  out.text(model::kServiceNameLabel, owner.name);
  out.end();
  out.text("name", owner.name + "-" + std::to_string(10'000 + first_pod / 100));
  out.text("namespace", owner.ns);
  out.end();
  out.begin_list("ports");
  if (pods > 0) {
    out.begin_map();
    out.text("name", "http");
    out.number("port", 8080);
    out.text("protocol", "TCP");
    out.end();
  }
  out.end();
  out.end();
  return out.take();
}

}  // namespace proxima::manifest
