// SPDX-License-Identifier: Apache-2.0
// An Endpoints object as the cache holds it: all that is mirrored into EndpointSlices.
#pragma once

#include <optional>
#include <vector>

#include "kube/endpoint_slice_record.h"
#include "kube/record.h"

namespace proxima::kube {

struct EndpointsAddressRecord {
  Text ip;        // as written
  Text hostname;  // none when missing or empty
  Text node;
  std::optional<TargetRecord> target;
};

struct EndpointsSubsetRecord {
  std::vector<EndpointsAddressRecord> ready;
  std::vector<EndpointsAddressRecord> not_ready;
  // Name and protocol are always there: "" and TCP where the object does not say.
  std::vector<EndpointPortRecord> ports;
};

struct EndpointsRecord : RefCounted {
  RecordMeta meta;
  LabelSetRef labels;
  LabelSetRef annotations;  // all of them
  std::vector<EndpointsSubsetRecord> subsets;

  ObjectKey key() const { return {meta.ns.view(), meta.name.view()}; }
};

}  // namespace proxima::kube
