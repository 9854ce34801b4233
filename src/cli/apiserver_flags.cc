// SPDX-License-Identifier: Apache-2.0
#include "cli/apiserver_flags.h"

#include "cli/value_rows.h"
#include "core/policy/feature_gates.h"

namespace proxima::cli {
namespace {

FlagRows task_arguments(ApiserverCommand& command) {
  return {
      choice_row("task", kArguments, command.task, kApiserverTasks,
                 "Copy the database instead of serving, also while a server runs"),
      text_row("file", "FILE", kArguments, command.file, "Where the copy goes; must not exist"),
  };
}

FlagRows serving_flags(apiserver::ServerOptions& options) {
  const std::string group = "Serving";
  FlagRows rows = {
      text_row("--data-dir", "DIRECTORY", group, options.data_directory,
               "Where everything is kept: database, certificates, kubeconfigs"),
      text_row("--bind-address", "ADDRESS", group, options.address,
               "The IP address to listen on (default 127.0.0.1)"),
      count_row("--secure-port", group, options.port, {0, 65535},
                "The port to listen on; 0 takes any free one (default 6443)"),
      text_row("--kubeconfig", "FILE", group, options.kubeconfig,
               "Where the administrator's kubeconfig is written (default kubeconfig in "
               "--data-dir)"),
      choice_row("--durability", group, options.durability, kDurabilities,
                 "What a power failure may take: nothing (full, the default), or the last moments "
                 "(normal, faster); a crash of the program takes nothing either way"),
  };
  rows.front().required = true;
  return rows;
}

FlagRows keeping_flags(apiserver::RetentionLimits& retention) {
  const std::string group = "Keeping";
  return {
      value_row("--history-window", "DURATION", group, retention.history, parse_seconds,
                "How long changes are kept for watches and lists that continue (default 5m)"),
      value_row("--event-ttl", "DURATION", group, retention.events, parse_seconds,
                "How long an Event is kept after its last write (default 1h)"),
  };
}

// The first range that is given replaces the usual one.
FlagRow service_range_flag(std::vector<std::string>& cidrs) {
  return {.names = "--service-cluster-ip-range",
          .value = "CIDR",
          .group = "Services",
          .description =
              "Where cluster IPs come from: one range, or one of each family (default "
              "10.96.0.0/16)",
          .set = [&cidrs, first = true](const std::string& text) mutable -> Status {
            if (first) cidrs.clear();
            first = false;
            cidrs.push_back(text);
            return Unit{};
          },
          .repeat = Repeat::InOneText};
}

FlagRow node_port_flag(apiserver::AllocationRanges& ranges) {
  return {.names = "--service-node-port-range",
          .value = "FROM-TO",
          .group = "Services",
          .description = "Where node ports come from (default 30000-32767)",
          .set = [&ranges](const std::string& text) -> Status {
            const auto range = parse_port_range(text);
            if (!range) return range.error();
            ranges.first_node_port = range->first;
            ranges.last_node_port = range->last;
            return Unit{};
          }};
}

}  // namespace

FlagRows apiserver_flags(ApiserverCommand& command) {
  FlagRows rows = task_arguments(command);
  append(rows, serving_flags(command.options));
  append(rows, keeping_flags(command.options.retention));
  rows.push_back(service_range_flag(command.options.ranges.service_cidrs));
  rows.push_back(node_port_flag(command.options.ranges));
  rows.push_back(
      value_row("--feature-gates", "GATE=BOOL", "Services", command.options.gates,
                policy::parse_feature_gates,
                "Parts of Kubernetes that are switched off, comma-separated: their fields "
                "are dropped from new objects. All are on unless named. Gates: " +
                    policy::feature_gate_names()));
  return rows;
}

std::string contradiction(const ApiserverCommand& command) {
  if (command.task == ApiserverTask::Backup && command.file.empty())
    return "backup needs the name of the file that the copy goes to";
  return {};
}

}  // namespace proxima::cli
