// SPDX-License-Identifier: Apache-2.0
// Writes a made-up cluster of any size as kubectl would print it, for tests, benches and people who
// want to try. Equal options give equal bytes, on every machine.
#pragma once

#include <functional>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "manifest/generated_cluster.h"
#include "manifest/object_writer.h"

namespace proxima::manifest {

// What the Services ask for.
enum class PolicyMix {
  Mixed,  // two in five ask for nothing; the rest for each policy that exists
  None,
  Auto,
  PreferSameZone,
  PreferSameNode,
  TopologyKeys,
  Balanced,
};
// "mixed", "none", "auto", "prefer-same-zone", "prefer-same-node", "topology-keys", "balanced".
std::optional<PolicyMix> parse_policy_mix(std::string_view text);

struct GenerateOptions {
  ClusterShape shape;
  PolicyMix policy_mix = PolicyMix::Mixed;
  TextFormat format = TextFormat::Json;  // JSON is one List; YAML has a document an object
  bool slices = false;                   // with EndpointSlices; without them they are derived
  bool managed_fields = false;           // with the bulk that `--show-managed-fields` shows
};

// Takes the text piece by piece; a piece is valid only during the call.
using TextSink = std::function<void(std::string_view)>;

// An error: options that make no sense together. Nothing is written then.
Status generate(const GenerateOptions& options, const TextSink& sink);

}  // namespace proxima::manifest
