// SPDX-License-Identifier: Apache-2.0
#include "report/plan_fields.h"

#include <cmath>

#include "report/zone_split.h"

namespace proxima::report {

using model::Snapshot;
using policy::PolicyKind;

void write_service_name(DocumentWriter& writer, const Snapshot& snapshot,
                        model::ServiceIndex service, IpFamily family) {
  const model::Service& object = snapshot.services[service.value()];
  writer.field("namespace", snapshot.namespace_name(object.ns));
  writer.field("name", snapshot.names[object.name]);
  writer.field("family", to_text(family));
}

void write_bound(DocumentWriter& writer, double bound) {
  if (std::isinf(bound)) {
    writer.text("inf");
  } else {
    writer.number(bound);
  }
}

void write_policy(DocumentWriter& writer, const plan::ClusterPlan& plan,
                  const plan::ServicePlan& service) {
  writer.field("policy", policy::to_text(service.policy));
  if (service.policy == PolicyKind::Balanced) {
    writer.key("overload");
    write_bound(writer, service.overload);
    writer.field("nodeFirst", service.node_first);
  }
  if (service.policy != PolicyKind::TopologyKeys) return;
  writer.key("topologyKeys");
  writer.begin_array();
  for (const std::string_view key : Snapshot::part(plan.topology_keys, service.keys))
    writer.text(key);
  writer.end_array();
}

void write_endpoint(DocumentWriter& writer, const Snapshot& snapshot,
                    const model::Endpoint& endpoint) {
  writer.field("address", endpoint.address.text());
  if (endpoint.pod) writer.field("pod", snapshot.names[endpoint.pod]);
  if (endpoint.node) writer.field("node", snapshot.node_name(endpoint.node));
  if (endpoint.zone) writer.field("zone", snapshot.zone_name(endpoint.zone));
  if (endpoint.weight != 1) writer.field("weight", static_cast<double>(endpoint.weight));
  writer.field("ready", is_ready_for_proxy(endpoint));
  if (is_ready_for_proxy(endpoint)) return;
  writer.field("serving", is_serving(endpoint));
  writer.field("terminating", is_terminating(endpoint));
}

void write_split(DocumentWriter& writer, const plan::ClusterPlan& plan,
                 const plan::ServicePlan& service) {
  writer.key("splitPermille");
  if (service.split < 0) return writer.null();
  writer.begin_object();
  for (const SplitRow& row : split_rows(plan, service)) {
    writer.key(row.zone);
    writer.begin_object();
    for (const SplitShare& share : row.to) writer.field(share.zone, share.permille);
    writer.end_object();
  }
  writer.end_object();
}

void write_traffic(DocumentWriter& writer, const plan::Traffic& traffic) {
  writer.key("traffic");
  writer.begin_object();
  writer.field("local", traffic.local);
  writer.field("crossZone", traffic.cross);
  writer.field("rejected", traffic.rejected);
  writer.field("worstOverload", traffic.worst_overload);
  writer.end_object();
}

}  // namespace proxima::report
