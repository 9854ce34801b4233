// SPDX-License-Identifier: Apache-2.0
// What the user asked for, as plain values: the command line turns into one of these, and a command
// needs nothing else. Numbers and names are checked; files are not opened yet.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "apiserver/server.h"
#include "base/ip_address.h"
#include "cli/terminal.h"
#include "core/policy/auto_hints.h"
#include "core/policy/settings.h"
#include "core/policy/zone_aware.h"
#include "manifest/generate.h"

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

enum class OutputFormat : std::uint8_t { Table, Wide, Json, Yaml, Markdown };

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
  std::string from_node;  // exactly one of the two is not empty
  std::string from_zone;
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

struct GenerateCommand {
  manifest::GenerateOptions options = {.format = manifest::TextFormat::Yaml};
};

struct ReasonsCommand {
  OutputOptions output;
};

// Runs the server, or copies the database of one.
enum class ApiserverTask : std::uint8_t { Serve, Backup };
struct ApiserverCommand {
  ApiserverTask task = ApiserverTask::Serve;
  std::string file;                  // of the backup
  apiserver::ServerOptions options;  // without its log
};

enum class Shell : std::uint8_t { Bash, Zsh, Fish };
struct CompletionCommand {
  Shell shell = Shell::Bash;
};
struct ManCommand {};
struct VersionCommand {
  OutputFormat format = OutputFormat::Table;
};
struct HelpCommand {
  std::string topic;  // a command; "" for all of them
};

using Command =
    std::variant<PlanCommand, ExplainCommand, CompareCommand, GenerateCommand, ReasonsCommand,
                 ApiserverCommand, CompletionCommand, ManCommand, VersionCommand, HelpCommand>;

}  // namespace proxima::cli
