// SPDX-License-Identifier: Apache-2.0
#include "cli/check_flags.h"

#include "cli/cluster_flags.h"
#include "cli/output_flags.h"

namespace proxima::cli {

FlagRows check_flags(CheckCommand& command) {
  const std::string group = "Checks";
  FlagRows rows = {
      switch_row("--pre", group, command.before, "Only what matters before Proxima is installed"),
      switch_row("--node-only", group, command.node_only,
                 "Only this node, also without CAP_NET_ADMIN"),
      switch_row("--api-only", group, command.api_only, "Only what the API server tells"),
      choice_row("--component", group, command.component, kComponents,
                 "Only what concerns this part of Proxima (default both)"),
      text_row("-n,--namespace", "NAME", group, command.ns,
               "The namespace that Proxima is installed in (default kube-system)"),
      value_row("--wait", "DURATION", group, command.wait, parse_duration,
                "Check again until nothing fails, for at most this long"),
      switch_row("--list", group, command.list, "List the checks and run none of them"),
  };
  append(rows, cluster_flags(command.kube, "Cluster", "the default",
                             ", then the lab that runs on this machine"));
  rows.push_back(choice_row("-o,--output", "Output", command.output.format, kCheckFormats,
                            "Format of the output (default text); markdown is for --list"));
  append(rows, look_flags(command.output));
  return rows;
}

std::string contradiction(const CheckCommand& command) {
  if (command.output.format == OutputFormat::Markdown && !command.list)
    return "--output markdown needs --list: results are text, json or yaml";
  if (command.node_only && command.api_only)
    return "--node-only and --api-only together leave nothing to check";
  if (command.ns.empty()) return "--namespace needs the name of a namespace";
  if (command.list && command.wait.count() > 0) return "--list has nothing to --wait for";
  return {};
}

}  // namespace proxima::cli
