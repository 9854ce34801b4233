// SPDX-License-Identifier: Apache-2.0
// One JSON object → one draft, keeping only what the model needs and filling in what an API server
// would have defaulted. Whatever is wrong is reported through the object; what can be kept is kept.
// The object's own name and namespace are the caller's business.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/model/limits.h"
#include "core/model/snapshot_builder.h"
#include "wire/json_object.h"

namespace proxima::wire {

struct ObjectName {
  NameId ns;  // none for cluster-wide kinds
  NameId name;
};

model::NodeDraft decode_node(const JsonObject& node, ObjectName name, StringPool& names);
model::PodDraft decode_pod(const JsonObject& pod, ObjectName name, StringPool& names);
model::ServiceDraft decode_service(const JsonObject& object, ObjectName name, StringPool& names);
model::Namespace decode_namespace(const JsonObject& ns, ObjectName name, StringPool& names);
// nullopt: the address type is missing or unknown, which is reported.
std::optional<model::SliceDraft> decode_endpoint_slice(const JsonObject& slice, ObjectName name,
                                                       StringPool& names);

// Parts that several kinds have.
std::vector<model::Label> decode_labels(const JsonObject& labels, StringPool& names);
model::RoutingTexts decode_routing(const JsonObject& annotations, StringPool& names);
// The text under `key`, interned; none when missing.
NameId decode_name(const JsonObject& object, std::string_view key, StringPool& names);
// Whether the list under `key` has a condition Ready with status True.
bool has_ready_condition(const JsonObject& status);
// How many external IPs of a Service with so many ports count, and addresses of its load balancer:
// a node has a route for each port and address.
std::size_t most_service_addresses(std::size_t ports);
// The number written as text under `key`; nullopt when there is none, or one outside the limit,
// which is reported.
std::optional<double> decode_number_text(const JsonObject& object, std::string_view key,
                                         const model::Limit& limit);
// "TCP" when missing.
NameId decode_protocol(const JsonObject& port, StringPool& names);

}  // namespace proxima::wire
