// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <memory>
#include <span>

#include "cli/argument_values.h"
#include "cli/command_texts.h"
#include "cli/lab_flags.h"
#include "cli/near_match.h"
#include "cli/proxy_flags.h"
#include "cli/up_flags.h"
#include "cli/version.h"
#include "core/model/selector.h"
#include "kube/election.h"

namespace proxima::cli {
namespace {

using apiserver::AllocationRanges;

constexpr std::uint64_t kLargestCount = std::numeric_limits<std::uint32_t>::max();

// One command: its flags, bound to the options they fill. Every command is parsed on its own, so a
// service that is called like a command is no surprise.
struct Definition {
  explicit Definition(const std::string& name) : app(std::make_unique<CLI::App>("", name)) {
    app->set_help_flag();  // help is rendered from the specification instead
    app->allow_extras();   // unknown flags are reported here, with what was meant
  }
  std::unique_ptr<CLI::App> app;
  std::function<Command()> take;  // after parsing
};

// A flag whose text goes through `parse`, which gives a Result.
template <class T, class Parse>
CLI::Option* add_value(CLI::App& app, const std::string& names, T& target, Parse parse,
                       const std::string& description) {
  return app
      .add_option_function<std::string>(
          names, [&target, parse](const std::string& text) { target = parse(text).value(); },
          description)
      ->check([parse](const std::string& text) {
        const auto value = parse(text);
        return value ? std::string() : value.error().message;
      });
}

template <class T, class Value, std::size_t N>
CLI::Option* add_choice(CLI::App& app, const std::string& names, T& target,
                        const Choices<Value, N>& choices, const std::string& description) {
  const auto parse = [&choices](const std::string& text) { return parse_choice(text, choices); };
  return add_value(app, names, target, parse, description)->type_name(choice_names(choices));
}

template <class T>
CLI::Option* add_count(CLI::App& app, const std::string& names, T& target, CountBounds bounds,
                       const std::string& description) {
  const auto parse = [bounds](const std::string& text) -> Result<T> {
    auto value = parse_count(text, bounds);
    if (!value) return std::move(value).error();
    return static_cast<T>(*value);
  };
  return add_value(app, names, target, parse, description)->type_name("NUMBER");
}

CLI::Option* add_text(CLI::App& app, const std::string& names, std::string& target,
                      const std::string& value, const std::string& description) {
  return app.add_option(names, target, description)->type_name(value);
}

// Which cluster; `group` is the heading in the help.
std::array<CLI::Option*, 2> add_cluster(CLI::App& app, KubeOptions& options,
                                        const std::string& group, const std::string& fallback) {
  auto* kubeconfig = add_text(app, "--kubeconfig", options.kubeconfig, "FILE",
                              "Use the cluster of this kubeconfig; " + fallback +
                                  " is KUBECONFIG, then ~/.kube/config, then the Pod's service "
                                  "account");
  auto* context = add_text(app, "--context", options.context, "NAME",
                           "The context of the kubeconfig; its current one when not given");
  return {kubeconfig->group(group), context->group(group)};
}

void add_rate_limits(CLI::App& app, KubeOptions& options, const std::string& group) {
  add_value(app, "--kube-api-qps", options.qps, parse_amount,
            "Requests a second that are sent at most; 0: no limit (default 50)")
      ->type_name("NUMBER")
      ->group(group);
  add_value(app, "--kube-api-burst", options.burst, parse_amount,
            "Requests that may be sent at once before that (default 100)")
      ->type_name("NUMBER")
      ->group(group);
}

void add_input(CLI::App& app, InputOptions& options) {
  auto* files =
      app.add_option("-f,--filename", options.files,
                     "Read this file, every .json, .yaml and .yml file of this directory, or "
                     "standard input (-), instead of a live cluster")
          ->type_name("FILE")
          ->allow_extra_args(false)
          ->group("Input");
  const std::string live = "Live cluster";
  for (CLI::Option* option : add_cluster(app, options.kube, live, "without -f the default"))
    option->excludes(files);
  add_rate_limits(app, options.kube, live);
  app.add_flag("--strict", options.strict, "Fail at the first object that cannot be read")
      ->group("Input");
}

void add_scope(CLI::App& app, ScopeOptions& options) {
  const std::string group = "Which services";
  add_value(
      app, "-n,--namespace", options.ns,
      [](const std::string& text) -> Result<std::string> {
        if (!text.empty()) return text;
        return Error{ErrorCode::InvalidInput, "a namespace has a name"};
      },
      "Only this namespace; all of them when not given")
      ->type_name("NAME")
      ->group(group);
  app.add_flag("-A,--all-namespaces", options.all_namespaces,
               "All namespaces, whatever --namespace says")
      ->group(group);
  add_value(
      app, "-l,--selector", options.selector,
      [](const std::string& text) -> Result<std::string> {
        auto selector = model::Selector::parse(text);
        if (!selector) return std::move(selector).error();
        return text;
      },
      "Only services whose labels match, for example app=cart,tier!=test")
      ->type_name("SELECTOR")
      ->group(group);
}

template <std::size_t N>
void add_output(CLI::App& app, OutputOptions& options, const Choices<OutputFormat, N>& formats) {
  const std::string group = "Output";
  add_choice(app, "-o,--output", options.format, formats, "Format of the output (default table)")
      ->group(group);
  app.add_flag("--no-headers", options.no_headers, "Tables without their first line")->group(group);
  add_choice(app, "--color", options.color, kColorModes,
             "Colours: on a terminal (auto), always or never; NO_COLOR switches auto off")
      ->group(group);
  app.add_flag_callback(
         "--no-color", [&options] { options.color = ColorMode::Never; },
         "The same as --color never")
      ->group(group);
}

void add_demand(CLI::App& app, PolicyOptions& options) {
  const std::string group = "Policy";
  add_value(
      app, "--demand", options.demand,
      [](const std::string& text) -> Result<std::string> {
        auto demand = policy::parse_demand(text);
        if (!demand) return std::move(demand).error();
        return text;
      },
      "Where traffic starts: in proportion to allocatable CPU, to nodes, to the ready Pods of a "
      "client workload, or as measured")
      ->type_name("cpu|nodes|clients=WORKLOAD|measured")
      ->group(group);
  add_text(app, "--measured", options.measured, "FILE",
           "Traffic by zone for demand measured: a file, or zone=number,zone=number")
      ->group(group);
}

std::string policy_choices() {
  std::string out;
  for (const policy::PolicyKind kind : policy::kAllPolicies)
    out.append(out.empty() ? "" : "|").append(policy::to_text(kind));
  return out;
}

void add_policy(CLI::App& app, PolicyOptions& options) {
  const std::string group = "Policy";
  add_value(app, "--default-policy", options.default_policy, parse_policy_name,
            "Policy of services that ask for none themselves")
      ->type_name("POLICY:" + policy_choices())
      ->group(group);
  app.add_option("--topology-keys", options.topology_keys,
                 "Keys for policy topology-keys where a service lists none")
      ->type_name("KEY")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(group);
  add_value(app, "--auto-start", options.auto_options.start_below, parse_threshold,
            "auto: hints begin when the expected overload stays within this")
      ->type_name("PERCENT")
      ->group(group);
  add_value(app, "--auto-stop", options.auto_options.stop_above, parse_threshold,
            "auto: hints end when the expected overload exceeds this")
      ->type_name("PERCENT")
      ->group(group);
  add_choice(app, "--missing-node-data", options.auto_options.missing, kMissingNodeData,
             "auto: what a node without a zone or CPU means: no hints, the CPU of one core, or "
             "nothing at all")
      ->group(group);
  add_value(app, "--feature-gates", options.gates, policy::parse_feature_gates,
            "Parts of Kubernetes that are switched off, comma-separated; all are on unless named. "
            "Gates: " +
                policy::feature_gate_names())
      ->type_name("GATE=BOOL")
      ->group(group);
  add_count(app, "--min-local-endpoints", options.min_local_endpoints, {1, kLargestCount},
            "balanced: endpoints a zone needs before its traffic prefers to stay")
      ->group(group);
  app.add_flag("--node-first", options.node_first, "balanced: fill the own node first")
      ->group(group);
  add_demand(app, options);
}

void add_overload(CLI::App& app, PolicyOptions& options) {
  add_value(app, "--overload", options.overload, policy::parse_overload,
            "balanced: how far above its fair share an endpoint may get (20%, 0.2, inf)")
      ->type_name("PERCENT")
      ->group("Policy");
}

void add_zone_aware(CLI::App& app, policy::ZoneAwareConfig& config) {
  const std::string group = "Policy zone-aware";
  add_count(app, "--zone-aware-min-cluster-size", config.min_cluster_size, {0, kLargestCount},
            "Ready endpoints below which zones are not looked at")
      ->group(group);
  add_value(app, "--zone-aware-routing-enabled", config.routing_enabled_percent, parse_percent,
            "Share of the requests that zone aware routing applies to")
      ->type_name("PERCENT")
      ->group(group);
  add_count(app, "--zone-aware-force-local-min-size", config.force_local_zone_min_size,
            {0, kLargestCount},
            "Keep all traffic in a zone with at least this many ready endpoints")
      ->group(group);
  add_choice(app, "--zone-aware-basis", config.basis, kLocalityBases,
             "Count endpoints, or sum their weights")
      ->group(group);
  add_value(app, "--zone-aware-panic-threshold", config.panic_threshold_percent, parse_percent,
            "Share of ready endpoints below which all are used")
      ->type_name("PERCENT")
      ->group(group);
  app.add_flag("--zone-aware-fail-on-panic", config.fail_traffic_on_panic,
               "Fail traffic in panic instead")
      ->group(group);
  app.add_flag("--zone-aware-require-equal-zones", config.require_equal_zone_number,
               "Require the same number of zones on both sides, as Envoy did until 1.27")
      ->group(group);
}

void add_price_numbers(CLI::App& app, PriceOptions& options) {
  const std::string group = "Prices";
  add_value(app, "--price-per-gb", options.price_per_gb, parse_amount,
            "Price of a GB between two zones, both directions together (default 0.02)")
      ->type_name("PRICE")
      ->group(group);
  add_value(app, "--region-price-per-gb", options.region_price_per_gb, parse_amount,
            "Price of a GB between two regions (default: twice --price-per-gb)")
      ->type_name("PRICE")
      ->group(group);
}

void add_prices(CLI::App& app, PriceOptions& options) {
  add_price_numbers(app, options);
  add_text(app, "--price-file", options.price_file, "FILE",
           "Prices of pairs of zones or regions, as YAML, JSON or CSV")
      ->group("Prices");
}

// What plan, explain and compare share.
template <class T>
void add_shared(CLI::App& app, T& command) {
  add_input(app, command.input);
  add_scope(app, command.scope);
  add_output(app, command.output, kOutputFormats);
  add_policy(app, command.policy);
  add_zone_aware(app, command.policy.zone_aware);
  add_prices(app, command.prices);
}

void add_services(CLI::App& app, std::vector<std::string>& services) {
  app.add_option("services", services, "Services; all of them when none is named")
      ->type_name("SERVICE");
}

// A definition whose command lives as long as the parser that fills it.
template <class T, class Fill>
Definition define(const std::string& name, Fill fill) {
  Definition definition(name);
  auto command = std::make_shared<T>();
  fill(*definition.app, *command);
  definition.take = [command] { return Command(*command); };
  return definition;
}

Definition define_plan() {
  return define<PlanCommand>("plan", [](CLI::App& app, PlanCommand& command) {
    add_services(app, command.services);
    add_shared(app, command);
    add_overload(app, command.policy);
  });
}

Definition define_explain() {
  return define<ExplainCommand>("explain", [](CLI::App& app, ExplainCommand& command) {
    add_text(app, "service", command.service, "SERVICE", "The service, as service/NAMESPACE/NAME")
        ->required();
    auto* node = add_text(app, "--from-node", command.from_node, "NODE",
                          "Explain traffic that starts on this node")
                     ->group("Seen from");
    auto* zone = add_text(app, "--from-zone", command.from_zone, "ZONE",
                          "Explain traffic that starts in this zone, on a node without endpoints")
                     ->group("Seen from")
                     ->excludes(node);
    add_text(app, "--node", command.node, "ADDRESS",
             "Ask the node proxy at this address what it does: HOST, HOST:PORT (default 10249) or "
             "a URL")
        ->group("Seen from")
        ->excludes(node)
        ->excludes(zone);
    add_choice(app, "--family", command.family, kFamilies,
               "Which side of a dual-stack service; the first one when not given")
        ->group("Seen from");
    add_shared(app, command);
    add_overload(app, command.policy);
  });
}

void add_comparison(CLI::App& app, CompareCommand& command) {
  const std::string group = "Comparison";
  app.add_option_function<std::vector<std::string>>(
         "--policy",
         [&command](const std::vector<std::string>& names) {
           for (const auto& name : names)
             command.policies.push_back(parse_variant_name(name).value());
         },
         "Policies to compare")
      ->type_name("POLICY:" + std::string(kAsConfigured) + "|" + policy_choices())
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check([](const std::string& text) {
        const auto name = parse_variant_name(text);
        return name ? std::string() : name.error().message;
      })
      ->group(group);
  app.add_option_function<std::vector<std::string>>(
         "--overload",
         [&command](const std::vector<std::string>& texts) {
           for (const auto& text : texts)
             command.overloads.push_back(policy::parse_overload(text).value());
         },
         "Bounds on overload at which balanced is compared (0, 20%, inf)")
      ->type_name("PERCENT")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check([](const std::string& text) {
        const auto value = policy::parse_overload(text);
        return value ? std::string() : value.error().message;
      })
      ->group(group);
  add_text(app, "--traffic", command.traffic_file, "FILE",
           "GB of each service, as YAML, JSON or CSV: NAMESPACE/NAME: GB")
      ->group(group);
  app.add_flag("--all", command.all, "Every service in the table, not only those that differ most")
      ->group(group);
  add_text(app, "--html", command.html_file, "FILE", "Also write a page with charts to this file")
      ->group(group);
}

Definition define_compare() {
  return define<CompareCommand>("compare", [](CLI::App& app, CompareCommand& command) {
    add_services(app, command.services);
    add_comparison(app, command);
    add_shared(app, command);
  });
}

void add_shape(CLI::App& app, manifest::ClusterShape& shape) {
  const std::string group = "Cluster";
  constexpr CountBounds kAny{0, 16'000'000};
  add_count(app, "--nodes", shape.nodes, kAny, "Nodes (default 9)")->group(group);
  add_count(app, "--zones", shape.zones, {1, 10'000}, "Zones (default 3)")->group(group);
  add_count(app, "--regions", shape.regions, {1, 10'000}, "Regions (default 1)")->group(group);
  add_count(app, "--services", shape.services, kAny, "Services (default 8)")->group(group);
  add_count(app, "--pods", shape.pods, kAny, "Pods of all services together (default 60)")
      ->group(group);
  add_value(app, "--skew", shape.skew, parse_amount,
            "How uneven Pods lie over the zones: 0 evenly, 1 all in the first (default 0)")
      ->type_name("NUMBER")
      ->group(group);
  add_count(app, "--seed", shape.seed, {0, std::numeric_limits<std::uint64_t>::max()},
            "Another number gives another cluster (default 1)")
      ->group(group);
}

Definition define_generate() {
  return define<GenerateCommand>("generate", [](CLI::App& app, GenerateCommand& command) {
    add_shape(app, command.options.shape);
    add_choice(app, "--policy", command.options.policy_mix, kPolicyMixes,
               "What the services ask for (default mixed)")
        ->group("Cluster");
    app.add_flag("--slices", command.options.slices,
                 "With EndpointSlices; whoever reads the cluster derives them otherwise")
        ->group("Cluster");
    add_choice(app, "-o,--output", command.options.format, kManifestFormats,
               "Format of the output (default yaml)")
        ->group("Output");
  });
}

Definition define_reasons() {
  return define<ReasonsCommand>("reasons", [](CLI::App& app, ReasonsCommand& command) {
    add_output(app, command.output, kReasonFormats);
  });
}

void add_ranges(CLI::App& app, AllocationRanges& ranges) {
  const std::string group = "Services";
  app.add_option_function<std::vector<std::string>>(
         "--service-cluster-ip-range",
         [&ranges](const std::vector<std::string>& cidrs) { ranges.service_cidrs = cidrs; },
         "Where cluster IPs come from: one range, or one of each family (default 10.96.0.0/16)")
      ->type_name("CIDR")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->group(group);
  app.add_option_function<std::string>(
         "--service-node-port-range",
         [&ranges](const std::string& text) {
           const PortRange range = parse_port_range(text).value();
           ranges.first_node_port = range.first;
           ranges.last_node_port = range.last;
         },
         "Where node ports come from (default 30000-32767)")
      ->type_name("FROM-TO")
      ->check([](const std::string& text) {
        const auto range = parse_port_range(text);
        return range ? std::string() : range.error().message;
      })
      ->group(group);
}

Definition define_apiserver() {
  return define<ApiserverCommand>("apiserver", [](CLI::App& app, ApiserverCommand& command) {
    add_choice(app, "task", command.task, kApiserverTasks,
               "Copy the database instead of serving, also while a server runs");
    add_text(app, "file", command.file, "FILE", "Where the copy goes; must not exist");
    const std::string serving = "Serving";
    add_text(app, "--data-dir", command.options.data_directory, "DIRECTORY",
             "Where everything is kept: database, certificates, kubeconfigs")
        ->required()
        ->group(serving);
    add_text(app, "--bind-address", command.options.address, "ADDRESS",
             "The IP address to listen on (default 127.0.0.1)")
        ->group(serving);
    add_count(app, "--secure-port", command.options.port, {0, 65535},
              "The port to listen on; 0 takes any free one (default 6443)")
        ->group(serving);
    add_text(app, "--kubeconfig", command.options.kubeconfig, "FILE",
             "Where the administrator's kubeconfig is written (default kubeconfig in --data-dir)")
        ->group(serving);
    add_choice(app, "--durability", command.options.durability, kDurabilities,
               "What a power failure may take: nothing (full, the default), or the last moments "
               "(normal, faster); a crash of the program takes nothing either way")
        ->group(serving);
    const std::string keeping = "Keeping";
    add_value(app, "--history-window", command.options.retention.history, parse_seconds,
              "How long changes are kept for watches and lists that continue (default 5m)")
        ->type_name("DURATION")
        ->group(keeping);
    add_value(app, "--event-ttl", command.options.retention.events, parse_seconds,
              "How long an Event is kept after its last write (default 1h)")
        ->type_name("DURATION")
        ->group(keeping);
    add_ranges(app, command.options.ranges);
  });
}

// A switch that may be given a value, as Go's flags may: --leader-elect, --leader-elect=false.
CLI::Option* add_switch(CLI::App& app, const std::string& name, bool& target,
                        const std::string& description) {
  return app.add_flag(name, target, description);
}

void add_slices(CLI::App& app, ControllerCommand& command) {
  const std::string group = "Slices";
  add_count(app, "--max-endpoints-per-slice", command.max_endpoints_per_slice, {1, 1000},
            "Endpoints that a slice holds at most (default 100)")
      ->group(group);
  add_count(app, "--concurrent-service-endpoint-syncs", command.concurrent_syncs, {1, 50},
            "Services that are worked on at the same time (default 5)")
      ->group(group);
  add_value(app, "--endpointslice-updates-batch-period", command.updates_batch_period,
            parse_duration,
            "How long to gather changes of Pods before a Service is worked on (default 0s)")
      ->type_name("DURATION")
      ->group(group);
  add_switch(app, "--dry-run", command.dry_run,
             "Watch and plan, write nothing: no slices, no events, no conditions, no Lease; "
             "/debug/plan shows what would be written")
      ->group(group);
}

void add_mirroring(CLI::App& app, MirroringFlags& flags) {
  const std::string group = "Mirroring";
  add_switch(app, "--endpoints-mirroring", flags.enabled,
             "Also make slices of the Endpoints that users write for Services without a selector, "
             "in place of Kubernetes' EndpointSlice mirroring controller")
      ->group(group);
  add_count(app, "--mirroring-max-endpoints-per-subset", flags.max_endpoints_per_subset, {1, 1000},
            "Addresses of a subset that are mirrored at most (default 1000)")
      ->group(group);
  add_count(app, "--mirroring-concurrent-service-endpoint-syncs", flags.concurrent_syncs, {1, 50},
            "Endpoints that are worked on at the same time (default 5)")
      ->group(group);
  add_value(app, "--mirroring-endpointslice-updates-batch-period", flags.updates_batch_period,
            parse_duration,
            "How long to gather changes of mirrored slices before their Endpoints are worked on "
            "(default 0s)")
      ->type_name("DURATION")
      ->group(group);
}

void add_election(CLI::App& app, ElectionFlags& flags) {
  const std::string group = "Leader election";
  add_switch(app, "--leader-elect", flags.enabled,
             "Work only while holding a Lease, so that several can run (default true)")
      ->group(group);
  const auto add = [&](const std::string& name, std::chrono::seconds& target,
                       const std::string& description) {
    add_value(app, name, target, parse_seconds, description)->type_name("DURATION")->group(group);
  };
  add("--leader-elect-lease-duration", flags.lease_duration,
      "How long others wait before they take over a Lease that is not renewed (default 15s)");
  add("--leader-elect-renew-deadline", flags.renew_deadline,
      "How long a leader goes on without a renewal that succeeds (default 10s)");
  add("--leader-elect-retry-period", flags.retry_period,
      "How long to wait between two tries (default 2s)");
  add_text(app, "--leader-elect-resource-name", flags.resource_name, "NAME",
           "The Lease (default proxima-controller)")
      ->group(group);
  add_text(app, "--leader-elect-resource-namespace", flags.resource_namespace, "NAME",
           "Its namespace (default kube-system)")
      ->group(group);
}

void add_status(CLI::App& app, StatusFlags& flags, const std::string& usual) {
  const std::string group = "Status and logs";
  add_value(app, "--metrics-bind-address", flags.bind, parse_bind_address,
            "Where /metrics, /healthz, /livez, /readyz and /debug/plan are served; port 0 takes "
            "any free one, which is printed; 0 alone serves nothing (default " +
                usual + ")")
      ->type_name("ADDRESS:PORT")
      ->group(group);
  add_text(app, "--tls-cert-file", flags.tls_cert_file, "FILE",
           "Serve them over TLS with this certificate and its chain")
      ->group(group);
  add_text(app, "--tls-private-key-file", flags.tls_private_key_file, "FILE",
           "The key of the certificate")
      ->group(group);
}

void add_web(CLI::App& app, WebFlags& flags) {
  const std::string group = "Live page";
  add_value(app, "--web", flags.bind, parse_bind_address,
            "Serve the live page here, over TLS when --tls-cert-file is given; port 0 takes any "
            "free one (default: no page)")
      ->type_name("ADDRESS:PORT")
      ->group(group);
  app.add_flag("--web-allow-changes", flags.allow_changes,
               "Let the page write the policies of Services; without it, it only shows")
      ->group(group);
  add_text(app, "--web-token-file", flags.token_file, "FILE",
           "The token that opens the page, 16 characters or more (default: a new one, printed with "
           "the address on standard output and nowhere else)")
      ->group(group);
  add_value(app, "--web-host-names", flags.host_names, parse_host_names,
            "Names that browsers may know the page by, comma-separated; others are refused, except "
            "addresses and localhost")
      ->type_name("NAMES")
      ->group(group);
}

void add_log(CLI::App& app, LogFlags& flags) {
  const std::string group = "Status and logs";
  add_choice(app, "--logging-format", flags.format, kLogFormats,
             "Form of the log on standard error (default text)")
      ->group(group);
  add_count(app, "-v,--v", flags.verbosity, {0, 10},
            "How much is logged: 0 what an operator needs, 2 what is decided, 4 every sync "
            "(default 0)")
      ->group(group);
}

Definition define_controller() {
  return define<ControllerCommand>("controller", [](CLI::App& app, ControllerCommand& command) {
    const std::string cluster = "Cluster";
    add_cluster(app, command.kube, cluster, "the default");
    add_rate_limits(app, command.kube, cluster);
    add_slices(app, command);
    add_mirroring(app, command.mirroring);
    add_election(app, command.election);
    add_status(app, command.status, "127.0.0.1:10267");
    add_web(app, command.web);
    add_log(app, command.log);
    add_policy(app, command.policy);
    add_overload(app, command.policy);
    add_zone_aware(app, command.policy.zone_aware);
    add_price_numbers(app, command.prices);
  });
}

void add_rows(CLI::App& app, const std::vector<FlagRow>& rows) {
  for (const FlagRow& row : rows) {
    const auto check = [set = row.set](const std::string& text) {
      const Status status = set(text);
      return status ? std::string() : status.error().message;
    };
    if (row.value.empty()) {
      const auto flag = [set = row.set](std::int64_t given) {
        static_cast<void>(set(given > 0 ? "true" : "false"));
      };
      app.add_flag_function(row.names, flag, row.description)->group(row.group);
      continue;
    }
    // The check has set it already.
    auto* option = row.repeatable
                       ? app.add_option_function<std::vector<std::string>>(
                             row.names, [](const std::vector<std::string>&) {}, row.description)
                       : app.add_option_function<std::string>(
                             row.names, [](const std::string&) {}, row.description);
    option->check(check)->type_name(row.value)->group(row.group)->required(row.required);
  }
}

Definition define_proxy() {
  return define<ProxyCommand>("proxy", [](CLI::App& app, ProxyCommand& command) {
    add_rows(app, proxy_flags(command));
    add_log(app, command.log);
  });
}

Definition define_up() {
  return define<UpCommand>(
      "up", [](CLI::App& app, UpCommand& command) { add_rows(app, up_flags(command)); });
}

Definition define_lab() {
  return define<LabCommand>(
      "lab", [](CLI::App& app, LabCommand& command) { add_rows(app, lab_flags(command)); });
}

Definition define_completion() {
  return define<CompletionCommand>("completion", [](CLI::App& app, CompletionCommand& command) {
    add_choice(app, "shell", command.shell, kShells, "The shell")->required();
  });
}

Definition define_version() {
  return define<VersionCommand>("version", [](CLI::App& app, VersionCommand& command) {
    add_choice(app, "-o,--output", command.format, kVersionFormats, "Format of the output")
        ->group("Output");
  });
}

Definition define_help() {
  return define<HelpCommand>("help", [](CLI::App& app, HelpCommand& command) {
    add_text(app, "command", command.topic, "COMMAND", "The command");
  });
}

Definition define_man() {
  return define<ManCommand>("man", [](CLI::App& app, ManCommand& command) {
    add_choice(app, "-o,--output", command.format, kManFormats,
               "Format of the output (default roff)")
        ->group("Output");
  });
}

// In the order of the help. Made one by one: a parser costs a millisecond, and one is enough.
struct NamedDefinition {
  std::string_view name;
  Definition (*make)();
};
constexpr NamedDefinition kDefinitions[] = {
    {"up", define_up},
    {"lab", define_lab},
    {"plan", define_plan},
    {"explain", define_explain},
    {"compare", define_compare},
    {"generate", define_generate},
    {"reasons", define_reasons},
    {"apiserver", define_apiserver},
    {"controller", define_controller},
    {"proxy", define_proxy},
    {"completion", define_completion},
    {"man", define_man},
    {"version", define_version},
    {"help", define_help},
};

OptionSpec describe(const CLI::Option& option) {
  OptionSpec spec;
  for (const auto& name : option.get_snames()) spec.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) spec.names.push_back("--" + name);
  spec.description = option.get_description();
  if (option.get_expected_max() > 0) set_value(spec, option.get_type_name());
  spec.group = option.get_group();
  spec.required = option.get_required();
  spec.repeatable = option.get_expected_max() > 1 || option.get_delimiter() != '\0';
  return spec;
}

CommandSpec describe(const CLI::App& app) {
  const CommandText& text = text_of_command(app.get_name());
  CommandSpec spec{
      std::string(text.name), std::string(text.summary), std::string(text.description), {}, {}, {}};
  for (const ExampleText& example : text.examples)
    spec.examples.push_back({std::string(example.purpose), std::string(example.command)});
  for (const CLI::Option* option : app.get_options())
    (option->get_positional() ? spec.arguments : spec.options).push_back(describe(*option));
  spec.options.push_back({{"-h", "--help"}, "", "Show this help", "Output", false, false, {}});
  return spec;
}

Error usage_error(std::string message, const std::string& command) {
  const std::string more = command.empty() ? "proxima --help" : "proxima " + command + " --help";
  return {ErrorCode::InvalidInput, std::move(message) + "\nSee '" + more + "'."};
}

Error unknown_flag(const CLI::App& app, const std::string& flag) {
  std::vector<std::string> names;
  for (const OptionSpec& option : describe(app).options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  const std::string name = flag.substr(0, flag.find('='));
  return usage_error("unknown flag: " + name + did_you_mean(near_matches(name, names)),
                     app.get_name());
}

// What allow_extras let through.
std::optional<Error> refuse_extras(const CLI::App& app) {
  std::vector<std::string> extras = app.remaining();
  std::erase(extras, "--");  // the library counts the mark itself among them
  if (extras.empty()) return std::nullopt;
  const auto flag = std::find_if(extras.begin(), extras.end(),
                                 [](const std::string& text) { return text.starts_with("-"); });
  if (flag != extras.end()) return unknown_flag(app, *flag);
  return usage_error("unexpected argument: " + extras.front(), app.get_name());
}

// What no single flag can know about the others; "" when all is well.
struct Contradiction {
  std::string operator()(const PlanCommand& command) const {
    return shared(command, !command.services.empty());
  }
  std::string operator()(const CompareCommand& command) const {
    const auto& names = command.policies;
    const bool balanced =
        names.empty() || std::find(names.begin(), names.end(),
                                   policy::to_text(policy::PolicyKind::Balanced)) != names.end();
    if (!command.overloads.empty() && !balanced)
      return "--overload is for policy balanced, which --policy does not list";
    return shared(command, !command.services.empty());
  }
  std::string operator()(const ExplainCommand& command) const {
    if (command.from_node.empty() && command.from_zone.empty() && command.node.empty())
      return "--from-node, --from-zone or --node is required: an answer depends on where traffic "
             "starts";
    return shared(command, true);
  }
  std::string operator()(const ApiserverCommand& command) const {
    if (command.task == ApiserverTask::Backup && command.file.empty())
      return "backup needs the name of the file that the copy goes to";
    return {};
  }
  std::string operator()(const ControllerCommand& command) const {
    const StatusFlags& status = command.status;
    if (status.tls_cert_file.empty() != status.tls_private_key_file.empty())
      return "--tls-cert-file and --tls-private-key-file are given together or not at all";
    const WebFlags& web = command.web;
    const bool is_told = web.allow_changes || !web.token_file.empty() || !web.host_names.empty();
    if (!web.bind.enabled && is_told)
      return "--web-allow-changes, --web-token-file and --web-host-names need --web";
    if (command.election.enabled) {
      const Status timings =
          kube::check(kube::ElectionOptions{.identity = "any",
                                            .lease_duration = command.election.lease_duration,
                                            .renew_deadline = command.election.renew_deadline,
                                            .retry_period = command.election.retry_period});
      if (!timings) return "--leader-elect-…: " + timings.error().message;
    }
    return demand(command.policy);
  }
  std::string operator()(const UpCommand& command) const { return contradiction(command); }
  std::string operator()(const LabCommand& command) const { return contradiction(command); }
  template <class Other>
  std::string operator()(const Other&) const {
    return {};
  }

 private:
  template <class T>
  std::string shared(const T& command, bool has_names) const {
    if (has_names && !command.scope.selector.empty())
      return "services are given by name or by --selector, not both";
    return demand(command.policy);
  }
  static std::string demand(const PolicyOptions& policy) {
    if (policy.demand == "measured" && policy.measured.empty())
      return "--demand measured needs --measured";
    return {};
  }
};

Result<Command> parse_with(const Definition& definition, std::vector<std::string> arguments) {
  CLI::App& app = *definition.app;
  std::reverse(arguments.begin(), arguments.end());  // the library takes them from the back
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::RequiredError&) {
    if (auto extras = refuse_extras(app)) return std::move(*extras);
    for (const CLI::Option* option : app.get_options()) {
      if (!option->get_required() || option->count() > 0) continue;
      const OptionSpec spec = describe(*option);
      return usage_error(option_heading(spec) + " is required: " + spec.description,
                         app.get_name());
    }
    return usage_error("something required is missing", app.get_name());
  } catch (const CLI::ParseError& error) {
    // The library puts a flag's name before what is wrong; an argument has none.
    const std::string_view message = error.what();
    const bool nameless = message.starts_with(": ");
    return usage_error(std::string(message.substr(nameless ? 2 : 0)), app.get_name());
  }
  if (auto extras = refuse_extras(app)) return std::move(*extras);
  Command command = definition.take();
  const std::string problem = std::visit(Contradiction{}, command);
  if (!problem.empty()) return usage_error(problem, app.get_name());
  return command;
}

// kubectl takes "-o=json" as it takes "-o json".
std::vector<std::string> without_short_equals(std::span<const std::string> arguments) {
  std::vector<std::string> out;
  for (const std::string& text : arguments) {
    const bool short_equals = text.size() > 3 && text[0] == '-' && text[1] != '-' && text[2] == '=';
    if (!short_equals) {
      out.push_back(text);
      continue;
    }
    out.push_back(text.substr(0, 2));
    out.push_back(text.substr(3));
  }
  return out;
}

bool asks_for_help(std::span<const std::string> arguments) {
  for (const std::string& text : arguments) {
    if (text == "--") return false;
    if (text == "-h" || text == "--help") return true;
  }
  return false;
}

}  // namespace

ProgramSpec describe_program() {
  ProgramSpec program{"proxima",
                      std::string(program_summary()),
                      std::string(program_description()),
                      std::string(version()),
                      {}};
  for (const NamedDefinition& definition : kDefinitions)
    program.commands.push_back(describe(*definition.make().app));
  return program;
}

Result<Command> parse_command_line(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return Command(HelpCommand{});
  const std::string& name = arguments.front();
  if (name == "-h" || name == "--help") return Command(HelpCommand{});
  if (name == "--version") return Command(VersionCommand{});
  if (name.starts_with("-")) return usage_error("a command comes before flags: " + name, "");
  std::vector<std::string> names;
  for (const NamedDefinition& definition : kDefinitions) {
    names.emplace_back(definition.name);
    if (definition.name != name) continue;
    const auto rest = std::span(arguments).subspan(1);
    if (asks_for_help(rest)) return Command(HelpCommand{name});
    return parse_with(definition.make(), without_short_equals(rest));
  }
  return usage_error("unknown command: " + name + did_you_mean(near_matches(name, names)), "");
}

}  // namespace proxima::cli
