// SPDX-License-Identifier: Apache-2.0
#include "cli/controller_flags.h"

#include "cli/cluster_flags.h"
#include "cli/election_flags.h"
#include "cli/log_flags.h"
#include "cli/policy_flags.h"
#include "cli/price_flags.h"
#include "cli/report_service.h"
#include "cli/value_rows.h"

namespace proxima::cli {
namespace {

FlagRows slice_flags(ControllerCommand& command) {
  const std::string group = "Slices";
  return {
      count_row("--max-endpoints-per-slice", group, command.max_endpoints_per_slice, {1, 1000},
                "Endpoints that a slice holds at most (default 100)"),
      count_row("--concurrent-service-endpoint-syncs", group, command.concurrent_syncs, {1, 50},
                "Services that are worked on at the same time (default 5)"),
      value_row("--endpointslice-updates-batch-period", "DURATION", group,
                command.updates_batch_period, parse_duration,
                "How long to gather changes of Pods before a Service is worked on (default 0s)"),
      switch_row("--dry-run", group, command.dry_run,
                 "Watch and plan, write nothing: no slices, no events, no conditions, no Lease; "
                 "/debug/plan shows what would be written"),
  };
}

FlagRows mirroring_flags(MirroringFlags& flags) {
  const std::string group = "Mirroring";
  return {
      switch_row("--endpoints-mirroring", group, flags.enabled,
                 "Also make slices of the Endpoints that users write for Services without a "
                 "selector, in place of Kubernetes' EndpointSlice mirroring controller"),
      count_row("--mirroring-max-endpoints-per-subset", group, flags.max_endpoints_per_subset,
                {1, 1000}, "Addresses of a subset that are mirrored at most (default 1000)"),
      count_row("--mirroring-concurrent-service-endpoint-syncs", group, flags.concurrent_syncs,
                {1, 50}, "Endpoints that are worked on at the same time (default 5)"),
      value_row("--mirroring-endpointslice-updates-batch-period", "DURATION", group,
                flags.updates_batch_period, parse_duration,
                "How long to gather changes of mirrored slices before their Endpoints are worked "
                "on (default 0s)"),
  };
}

FlagRows status_flags(StatusFlags& flags) {
  const std::string group = "Status and logs";
  return {
      value_row(
          "--metrics-bind-address", "ADDRESS:PORT", group, flags.bind, parse_bind_address,
          "Where /metrics, /healthz, /livez and /readyz are served, and to clients on the same "
          "machine or with a token /debug/plan; port 0 takes any free one, which is printed; "
          "0 alone serves nothing (default 127.0.0.1:10267)"),
      text_row("--tls-cert-file", "FILE", group, flags.tls_cert_file,
               "Serve them over TLS with this certificate and its chain; read again when it is "
               "replaced"),
      text_row("--tls-private-key-file", "FILE", group, flags.tls_private_key_file,
               "The key of the certificate"),
  };
}

FlagRows web_flags(WebFlags& flags) {
  const std::string group = "Live page";
  return {
      value_row("--web", "ADDRESS:PORT", group, flags.bind, parse_bind_address,
                "Serve the live page here, over TLS when --tls-cert-file is given; port 0 takes "
                "any free one (default: no page)"),
      switch_row("--web-allow-changes", group, flags.allow_changes,
                 "Let the page write the policies of Services; without it, it only shows"),
      text_row("--web-token-file", "FILE", group, flags.token_file,
               "The token that opens the page, 16 characters or more (default: a new one, printed "
               "with the address on standard output and nowhere else)"),
      value_row("--web-host-names", "NAMES", group, flags.host_names, parse_host_names,
                "Names that browsers may know the page by, comma-separated; others are refused, "
                "except addresses and localhost"),
      count_row("--web-proxy-port", group, flags.proxy_port, {0, 65535},
                "Port of the node proxies' /debug/flows and /debug/routes, at the internal address "
                "of each Node: what the page shows as measured, and the routes of a node; asked "
                "while somebody looks; 0 asks nobody (default 10249)"),
      text_row("--web-proxy-token-file", "FILE", group, flags.proxy_token_file,
               "A token for the audience proxima-proxy, which node proxies want to see; read anew "
               "for each request (default: no token, for proxies on the same machine)"),
  };
}

FlagRows report_flags(ReportFlags& flags) {
  const std::string group = "Reports of nodes";
  return {
      value_row("--report-bind-address", "ADDRESS:PORT", group, flags.bind, parse_bind_address,
                "Take reports of node proxies here, over TLS: which plan each node routes, and how "
                "much of its traffic stays in its zone, for the condition "
                "proxima.io/TrafficDistributionHonored of Services; port 0 takes any free one "
                "(default: no reports)"),
      text_row("--report-advertise-address", "HOST", group, flags.advertised,
               "The IP address or host name at which node proxies reach it (default: the address "
               "that it binds)"),
      value_row("--report-config-map", "NAMESPACE/NAME", group, flags.config_map,
                parse_report_config_map,
                "The ConfigMap that tells node proxies where, and how to verify the controller "
                "(default kube-system/proxima-reports)"),
  };
}

}  // namespace

FlagRows controller_flags(ControllerCommand& command) {
  FlagRows rows = cluster_flags(command.kube, "Cluster", "the default");
  append(rows, slice_flags(command));
  append(rows, mirroring_flags(command.mirroring));
  append(rows, election_flags(command.election));
  append(rows, status_flags(command.status));
  append(rows, web_flags(command.web));
  append(rows, report_flags(command.reports));
  append(rows, log_flags(command.log));
  append(rows, policy_flags(command.policy));
  rows.push_back(overload_flag(command.policy));
  append(rows, zone_aware_flags(command.policy.zone_aware));
  append(rows, price_flags(command.prices));
  return rows;
}

std::string contradiction(const ControllerCommand& command) {
  const StatusFlags& status = command.status;
  if (status.tls_cert_file.empty() != status.tls_private_key_file.empty())
    return "--tls-cert-file and --tls-private-key-file are given together or not at all";
  const WebFlags& web = command.web;
  const bool is_told = web.allow_changes || !web.token_file.empty() || !web.host_names.empty() ||
                       web.proxy_port != web::kProxyPort;
  if (!web.bind.enabled && is_told)
    return "--web-allow-changes, --web-token-file, --web-host-names and --web-proxy-port need "
           "--web";
  const std::string reports = contradiction(command.reports);
  return reports.empty() ? contradiction(command.election) : reports;
}

}  // namespace proxima::cli
