// SPDX-License-Identifier: Apache-2.0
// Parts of a plan that several documents have in common, in JSON or YAML.
#pragma once

#include "core/plan/cluster_plan.h"
#include "core/plan/traffic.h"
#include "report/document.h"

namespace proxima::report {

// Fields of a service that plan, explain and compare have in common: namespace, name, family.
void write_service_name(DocumentWriter& writer, const model::Snapshot& snapshot,
                        model::ServiceIndex service, IpFamily family);
// A bound on overload as a number, and as the annotation says it where there is none: "inf".
void write_bound(DocumentWriter& writer, double bound);
// policy, and with it overload and nodeFirst for balanced, topologyKeys for topology-keys.
void write_policy(DocumentWriter& writer, const plan::ClusterPlan& plan,
                  const plan::ServicePlan& service);
// address, pod, node, zone, weight, ready, serving, terminating; inside an object.
void write_endpoint(DocumentWriter& writer, const model::Snapshot& snapshot,
                    const model::Endpoint& endpoint);
// {"zone-a": {"zone-a": 833, "zone-b": 167}}, in thousandths; null for a policy without fractions.
void write_split(DocumentWriter& writer, const plan::ClusterPlan& plan,
                 const plan::ServicePlan& service);
// "traffic": {local, crossZone, rejected, worstOverload}.
void write_traffic(DocumentWriter& writer, const plan::Traffic& traffic);

}  // namespace proxima::report
