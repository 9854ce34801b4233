// SPDX-License-Identifier: Apache-2.0
#include "cli/generate_flags.h"

#include <limits>

#include "cli/value_rows.h"

namespace proxima::cli {
namespace {

constexpr const char* kShapeHeading = "Cluster";

FlagRows shape_flags(manifest::ClusterShape& shape) {
  constexpr CountBounds kAny{0, 16'000'000};
  return {
      count_row("--nodes", kShapeHeading, shape.nodes, kAny, "Nodes (default 9)"),
      count_row("--zones", kShapeHeading, shape.zones, {1, 10'000}, "Zones (default 3)"),
      count_row("--regions", kShapeHeading, shape.regions, {1, 10'000}, "Regions (default 1)"),
      count_row("--services", kShapeHeading, shape.services, kAny, "Services (default 8)"),
      count_row("--pods", kShapeHeading, shape.pods, kAny,
                "Pods of all services together (default 60)"),
      value_row("--skew", "NUMBER", kShapeHeading, shape.skew, parse_amount,
                "How uneven Pods lie over the zones: 0 evenly, 1 all in the first (default 0)"),
      count_row("--seed", kShapeHeading, shape.seed, {0, std::numeric_limits<std::uint64_t>::max()},
                "Another number gives another cluster (default 1)"),
  };
}

}  // namespace

FlagRows generate_flags(GenerateCommand& command) {
  FlagRows rows = shape_flags(command.options.shape);
  append(rows,
         {
             choice_row("--policy", kShapeHeading, command.options.policy_mix, kPolicyMixes,
                        "What the services ask for (default mixed)"),
             switch_row("--slices", kShapeHeading, command.options.slices,
                        "With EndpointSlices; whoever reads the cluster derives them otherwise"),
             choice_row("-o,--output", "Output", command.options.format, kManifestFormats,
                        "Format of the output (default yaml)"),
         });
  return rows;
}

}  // namespace proxima::cli
