// SPDX-License-Identifier: Apache-2.0
// Parts that EndpointSlices and Endpoints have in common.
#pragma once

#include <optional>

#include "kube/decode_fields.h"

namespace proxima::kube {

// Of an endpoint's targetRef; nullopt when it has none.
std::optional<TargetRecord> decode_target(const wire::JsonObject& endpoint, RecordSharing& sharing);
// A number that does not fit is reported, and the port has none.
EndpointPortRecord decode_endpoint_port(const wire::JsonObject& port, RecordSharing& sharing);
// Values are not shared: they are different in every object and at every write.
LabelSetRef decode_all_annotations(const wire::JsonObject& metadata, RecordSharing& sharing);

}  // namespace proxima::kube
