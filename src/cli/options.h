// SPDX-License-Identifier: Apache-2.0
// What the user asked for, as plain values: the command line turns into one of these, and a command
// needs nothing else. Numbers and names are checked; files are not opened yet.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "apiserver/server_options.h"
#include "base/ip_address.h"
#include "checks/check_table.h"
#include "cli/terminal.h"
#include "cli/up_options.h"
#include "core/plan/service_patch.h"
#include "core/policy/auto_hints.h"
#include "core/policy/settings.h"
#include "core/policy/zone_aware.h"
#include "manifest/generate.h"
#include "reports/node_report.h"
#include "telemetry/log_line.h"
#include "web/proxy_page.h"

namespace proxima::cli {

// A live cluster, found as kubectl finds it.
struct KubeOptions {
  std::string kubeconfig;  // "" when not given: KUBECONFIG, ~/.kube/config or the service account
  std::string context;     // "" when not given: the current one
  double qps = 50;
  double burst = 100;
};

struct InputOptions {
  std::vector<std::string> files;  // files, directories, "-" for standard input; none: live
  KubeOptions kube;
  bool strict = false;  // a bad object is an error instead of a warning
};

// Which services. A name without a namespace is looked for in every namespace, unless --namespace
// is given: a dump has no current namespace that "default" could stand for.
struct ScopeOptions {
  std::optional<std::string> ns;
  bool all_namespaces = false;  // stronger than `ns`, as in kubectl
  std::string selector;         // the syntax of -l; "" selects everything
};

enum class OutputFormat : std::uint8_t { Table, Wide, Json, Yaml, Markdown, Patch };

struct OutputOptions {
  OutputFormat format = OutputFormat::Table;
  bool no_headers = false;
  ColorMode color = ColorMode::Auto;
};

// The cluster default and where demand comes from.
struct PolicyOptions {
  policy::PolicyKind default_policy = policy::PolicyKind::ClusterWide;
  double overload = 0.2;
  policy::AutoOptions auto_options;  // but for its gate, see gates
  policy::FeatureGates gates;
  std::string demand = "cpu";  // as policy::parse_demand reads it
  std::string measured;        // a file, or "zone=number,…"; "" when not given
  std::uint32_t min_local_endpoints = 1;
  bool node_first = false;
  std::vector<std::string> topology_keys;
  policy::ZoneAwareConfig zone_aware;
};

struct PriceOptions {
  double price_per_gb = 0.02;                 // both directions of a transfer between zones
  std::optional<double> region_price_per_gb;  // between regions; none: twice price_per_gb
  std::string price_file;                     // "" when not given
};

struct PlanCommand {
  InputOptions input;
  ScopeOptions scope;
  OutputOptions output;
  PolicyOptions policy;
  PriceOptions prices;
  std::vector<std::string> services;
};

struct ExplainCommand {
  InputOptions input;
  ScopeOptions scope;
  OutputOptions output;
  PolicyOptions policy;
  PriceOptions prices;
  std::string service;
  std::string from_node;  // exactly one of the three is not empty
  std::string from_zone;
  std::string node;             // where its proxy is asked
  std::string node_token_file;  // "": without a token
  std::optional<IpFamily> family;
};

struct CompareCommand {
  InputOptions input;
  ScopeOptions scope;
  OutputOptions output;
  PolicyOptions policy;
  PriceOptions prices;
  std::vector<std::string> services;
  std::vector<std::string> policies;  // names, or "as-configured"; empty: a useful choice
  std::vector<double> overloads;      // θ for `balanced`; empty: a useful choice
  std::string traffic_file;
  std::string html_file;
  bool all = false;  // every service in the table
};

struct MigrateCommand {
  InputOptions input;
  ScopeOptions scope;
  OutputOptions output;
  PolicyOptions policy;
  PriceOptions prices;
  std::vector<std::string> services;
  std::optional<plan::MoveTarget> to;  // none: every target, and the patch that is suggested
  std::string traffic_file;
};

struct GenerateCommand {
  manifest::GenerateOptions options = {.format = manifest::TextFormat::Yaml};
};

// What a bug report needs of a cluster, without what is none of ours.
struct SysdumpCommand {
  KubeOptions kube;
  std::string ns;                     // "": all of them
  std::string output;                 // "": a name with the time; "-": standard output
  std::string controller;             // where it is asked; "": on this machine
  std::string controller_token_file;  // "": without a token
  std::vector<std::string> nodes;     // where node proxies are asked; none: on this machine
  std::string node_token_file;
};

struct ReasonsCommand {
  OutputOptions output;
};

struct LimitsCommand {
  OutputOptions output;
};

struct CheckCommand {
  KubeOptions kube;
  OutputOptions output;
  std::string ns = "kube-system";  // where Proxima is installed
  bool before = false;             // it is not installed yet
  bool node_only = false;          // at most one of the two
  bool api_only = false;
  checks::Component component = checks::Component::Both;
  bool list = false;  // the checks, not their results
  std::chrono::nanoseconds wait{0};
};

// Runs the server, or copies the database of one.
enum class ApiserverTask : std::uint8_t { Serve, Backup };
struct ApiserverCommand {
  ApiserverTask task = ApiserverTask::Serve;
  std::string file;                  // of the backup
  apiserver::ServerOptions options;  // without its log
};

// Where a long-running command tells about itself.
struct BindAddress {
  bool enabled = true;
  std::string address = "127.0.0.1";
  std::uint16_t port = 0;  // 0: any free one
};
struct StatusFlags {
  BindAddress bind;
  std::string tls_cert_file;  // "": plain HTTP
  std::string tls_private_key_file;
};

// The live page.
struct WebFlags {
  BindAddress bind = {.enabled = false};
  bool allow_changes = false;
  std::string token_file;               // "": a new token, which is printed
  std::vector<std::string> host_names;  // that browsers may know the page by, beside its address
  std::uint16_t proxy_port = web::kProxyPort;  // of node proxies; 0: they are not asked
  std::string proxy_token_file;                // "": node proxies are asked without a token
};

struct LogFlags {
  telemetry::LogFormat format = telemetry::LogFormat::Text;
  int verbosity = 0;
};

struct ElectionFlags {
  bool enabled = true;
  std::chrono::nanoseconds lease_duration = std::chrono::seconds(15);
  std::chrono::nanoseconds renew_deadline = std::chrono::seconds(10);
  std::chrono::nanoseconds retry_period = std::chrono::seconds(2);
  std::string resource_name = "proxima-controller";
  std::string resource_namespace = "kube-system";
};

// Endpoints of Services without a selector → slices.
struct MirroringFlags {
  bool enabled = false;
  std::size_t max_endpoints_per_subset = 1000;
  std::size_t concurrent_syncs = 5;
  std::chrono::nanoseconds updates_batch_period{0};
};

// Reports of node proxies, as the controller takes them.
struct ReportFlags {
  BindAddress bind = {.enabled = false};
  std::string advertised;  // "": the address that it binds
  std::string config_map = std::string(reports::kDefaultReportConfigMap);
};

struct ControllerCommand {
  KubeOptions kube;
  PolicyOptions policy;
  PriceOptions prices;  // without a file
  std::size_t max_endpoints_per_slice = 100;
  std::size_t concurrent_syncs = 5;
  std::chrono::nanoseconds updates_batch_period{0};
  bool dry_run = false;
  MirroringFlags mirroring;
  ElectionFlags election;
  StatusFlags status = {.bind = {.port = 10267}};
  WebFlags web;
  ReportFlags reports;
  LogFlags log;
};

// The node proxy.
struct ProxyCommand {
  std::string config_file;  // "": `fields` are the configuration
  // What flags say: fields of KubeProxyConfiguration ("nftables.syncPeriod") and their JSON.
  std::map<std::string, std::string> fields;
  std::string context;
  std::string hostname_override;
  std::string service_proxy_name;  // "": Services that name no proxy
  bool plans_by_itself = false;
  bool allows_node_external_ips = false;
  std::chrono::nanoseconds check_period = std::chrono::hours(1);
  bool flow_accounting = true;
  std::string report_config_map = std::string(reports::kDefaultReportConfigMap);  // "": no reports
  std::string report_token_file;  // "": the credentials for the API server
  bool take_over = false;         // kube-proxy's rules go once ours are active
  bool init_only = false;
  bool cleanup = false;
  LogFlags log;
};

enum class Shell : std::uint8_t { Bash, Zsh, Fish };
struct CompletionCommand {
  Shell shell = Shell::Bash;
};
enum class ManFormat : std::uint8_t { Roff, Markdown };
struct ManCommand {
  ManFormat format = ManFormat::Roff;
};
struct VersionCommand {
  OutputFormat format = OutputFormat::Table;
};
struct HelpCommand {
  std::string topic;  // a command; "" for all of them
};

using Command =
    std::variant<PlanCommand, ExplainCommand, CompareCommand, MigrateCommand, GenerateCommand,
                 CheckCommand, ReasonsCommand, LimitsCommand, ApiserverCommand, ControllerCommand,
                 ProxyCommand, UpCommand, LabCommand, SysdumpCommand, CompletionCommand, ManCommand,
                 VersionCommand, HelpCommand>;

}  // namespace proxima::cli
