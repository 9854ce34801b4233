// SPDX-License-Identifier: Apache-2.0
// Records → drafts, so that the planner can be fed from the cache as it is from files. The draft of
// a record equals the draft that wire/ makes of the same object.
#pragma once

#include <optional>

#include "core/model/snapshot_builder.h"
#include "kube/endpoint_slice_record.h"
#include "kube/node_record.h"
#include "kube/pod_record.h"
#include "kube/service_record.h"

namespace proxima::kube {

model::PodDraft to_draft(const PodRecord& pod, StringPool& names);
model::ServiceDraft to_draft(const ServiceRecord& service, StringPool& names);
// Only what is said about its routing: without namespace, ports, labels, selector and keys.
model::Service to_routing(const ServiceRecord& service, StringPool& names);
model::NodeDraft to_draft(const NodeRecord& node, StringPool& names);
model::Namespace to_draft(const NamespaceRecord& ns, StringPool& names);
// nullopt: its addresses are host names.
std::optional<model::SliceDraft> to_draft(const EndpointSliceRecord& slice, StringPool& names);

}  // namespace proxima::kube
