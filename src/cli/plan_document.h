// SPDX-License-Identifier: Apache-2.0
// `proxima plan` as JSON or YAML: everything the plan holds.
#pragma once

#include <string>
#include <vector>

#include "cli/document.h"
#include "cli/plan_table.h"

namespace proxima::cli {

std::string plan_document(const plan::ClusterPlan& plan,
                          const std::vector<PlannedService>& services, DocumentFormat format);

// Fields of a service that plan, explain and compare have in common: namespace, name, family.
void write_service_name(DocumentWriter& writer, const model::Snapshot& snapshot,
                        model::ServiceIndex service, IpFamily family);
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

}  // namespace proxima::cli
