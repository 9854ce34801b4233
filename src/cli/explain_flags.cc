// SPDX-License-Identifier: Apache-2.0
#include "cli/explain_flags.h"

#include "cli/planning_flags.h"

namespace proxima::cli {
namespace {

FlagRows place_flags(ExplainCommand& command) {
  const std::string group = "Seen from";
  FlagRows rows = {
      text_row("--from-node", "NODE", group, command.from_node,
               "Explain traffic that starts on this node"),
      text_row("--from-zone", "ZONE", group, command.from_zone,
               "Explain traffic that starts in this zone, on a node without endpoints"),
      text_row("--node", "ADDRESS", group, command.node,
               "Ask the node proxy at this address what it does: HOST, HOST:PORT (default 10249) "
               "or a URL"),
      text_row(
          "--node-token-file", "FILE", group, command.node_token_file,
          "A token for the audience proxima-proxy, which the node proxy wants to see unless it "
          "is on the same machine"),
      choice_row("--family", group, command.family, kFamilies,
                 "Which side of a dual-stack service; the first one when not given"),
  };
  rows[1].excludes = {"--from-node"};
  rows[2].excludes = {"--from-node", "--from-zone"};
  return rows;
}

}  // namespace

FlagRows explain_flags(ExplainCommand& command) {
  FlagRows rows = {text_row("service", "SERVICE", "", command.service,
                            "The service, as service/NAMESPACE/NAME")};
  rows.back().required = true;
  append(rows, place_flags(command));
  append(rows, planning_flags(command));
  rows.push_back(overload_flag(command.policy));
  return rows;
}

std::string contradiction(const ExplainCommand& command) {
  if (command.from_node.empty() && command.from_zone.empty() && command.node.empty())
    return "--from-node, --from-zone or --node is required: an answer depends on where traffic "
           "starts";
  return planning_contradiction(command, true);
}

}  // namespace proxima::cli
