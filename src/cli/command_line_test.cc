// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>

#include "cli/argument_values.h"
#include "support/parsed_command.h"
#include "support/words.h"

namespace proxima::cli {
namespace {

using test::parsed;
using testing::words;

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const auto& part : parts) out += (out.empty() ? "" : " ") + part;
  return out;
}

TEST(CommandLine, TakesFlagsAsKubectlDoes) {
  const struct {
    const char* line;
    const char* files;
    const char* ns;
    const char* services;
    OutputFormat format;
  } cases[] = {
      {"plan -f a.json", "a.json", "", "", OutputFormat::Table},
      {"plan --filename a.json --filename=b.yaml -f -", "a.json b.yaml -", "", "",
       OutputFormat::Table},
      {"plan -f a.json cart shop/web", "a.json", "", "cart shop/web", OutputFormat::Table},
      {"plan cart -f a.json web", "a.json", "", "cart web", OutputFormat::Table},
      {"plan plan -f a.json", "a.json", "", "plan", OutputFormat::Table},
      {"plan -fa.json -n shop -o json", "a.json", "shop", "", OutputFormat::Json},
      {"plan -f=a.json -n=shop -o=yaml", "a.json", "shop", "", OutputFormat::Yaml},
      {"plan -f a.json --namespace shop --output wide", "a.json", "shop", "", OutputFormat::Wide},
      {"plan -f a.json -- -odd", "a.json", "", "-odd", OutputFormat::Table},
      {"plan -n shop", "", "shop", "", OutputFormat::Table},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.line);
    const auto command = parsed<PlanCommand>(c.line);
    EXPECT_EQ(joined(command.input.files), c.files);
    EXPECT_EQ(command.scope.ns.value_or(""), c.ns);
    EXPECT_EQ(joined(command.services), c.services);
    EXPECT_EQ(command.output.format, c.format);
  }
}

TEST(CommandLine, FillsWhatASysdumpNeeds) {
  const auto command = parsed<SysdumpCommand>(
      "sysdump -o=dump.tar.gz -n shop --kubeconfig k --context c --controller 10.0.0.1 "
      "--controller-token-file a --node n1 --node fd00::5 --node-token-file b");
  EXPECT_EQ(command.output, "dump.tar.gz");
  EXPECT_EQ(command.ns, "shop");
  EXPECT_EQ(command.kube.kubeconfig, "k");
  EXPECT_EQ(command.kube.context, "c");
  EXPECT_EQ(command.controller, "10.0.0.1");
  EXPECT_EQ(command.controller_token_file, "a");
  EXPECT_EQ(joined(command.nodes), "n1 fd00::5");
  EXPECT_EQ(command.node_token_file, "b");
  EXPECT_EQ(parsed<SysdumpCommand>("sysdump --output -").output, "-");
}

TEST(CommandLine, FillsWhatTheControllerNeeds) {
  const auto command = parsed<ControllerCommand>(
      "controller --kubeconfig k --context c --kube-api-qps 7 --kube-api-burst 9 "
      "--max-endpoints-per-slice 1000 --concurrent-service-endpoint-syncs=50 "
      "--endpointslice-updates-batch-period 1.5s --leader-elect=false "
      "--leader-elect-lease-duration 1m --leader-elect-renew-deadline 40s "
      "--leader-elect-retry-period 5s --leader-elect-resource-name lock "
      "--leader-elect-resource-namespace shop --feature-gates ServiceTopology=false --dry-run "
      "--metrics-bind-address [::1]:0 --tls-cert-file a --tls-private-key-file b "
      "--logging-format json -v=4 --default-policy balanced --overload 10% --demand nodes");
  EXPECT_EQ(command.kube.kubeconfig, "k");
  EXPECT_EQ(command.kube.context, "c");
  EXPECT_EQ(command.kube.qps, 7);
  EXPECT_EQ(command.kube.burst, 9);
  EXPECT_EQ(command.max_endpoints_per_slice, 1000U);
  EXPECT_EQ(command.concurrent_syncs, 50U);
  EXPECT_EQ(command.updates_batch_period, std::chrono::milliseconds(1500));
  EXPECT_FALSE(command.election.enabled);
  EXPECT_EQ(command.election.lease_duration, std::chrono::seconds(60));
  EXPECT_EQ(command.election.renew_deadline, std::chrono::seconds(40));
  EXPECT_EQ(command.election.retry_period, std::chrono::seconds(5));
  EXPECT_EQ(command.election.resource_name, "lock");
  EXPECT_EQ(command.election.resource_namespace, "shop");
  EXPECT_FALSE(command.policy.gates.service_topology);
  EXPECT_TRUE(command.dry_run);
  EXPECT_EQ(command.status.bind.address, "::1");
  EXPECT_EQ(command.status.bind.port, 0);
  EXPECT_EQ(command.status.tls_private_key_file, "b");
  EXPECT_EQ(command.log.format, telemetry::LogFormat::Json);
  EXPECT_EQ(command.log.verbosity, 4);
  EXPECT_EQ(command.policy.default_policy, policy::PolicyKind::Balanced);
  EXPECT_DOUBLE_EQ(command.policy.overload, 0.1);
}

TEST(CommandLine, TheControllersDefaultsAreUpstreams) {
  const auto command = parsed<ControllerCommand>("controller");
  EXPECT_EQ(command.max_endpoints_per_slice, 100U);
  EXPECT_EQ(command.concurrent_syncs, 5U);
  EXPECT_EQ(command.updates_batch_period.count(), 0);
  EXPECT_TRUE(command.election.enabled);
  EXPECT_EQ(command.election.lease_duration, std::chrono::seconds(15));
  EXPECT_EQ(command.election.resource_name, "proxima-controller");
  EXPECT_EQ(command.election.resource_namespace, "kube-system");
  EXPECT_EQ(command.status.bind.address, "127.0.0.1");
  EXPECT_EQ(command.status.bind.port, 10267);
  EXPECT_FALSE(command.dry_run);
}

TEST(CommandLine, MirroringHasItsOwnSwitchAndUpstreamsFlags) {
  const auto usual = parsed<ControllerCommand>("controller").mirroring;
  EXPECT_FALSE(usual.enabled);
  EXPECT_EQ(usual.max_endpoints_per_subset, 1000U);
  EXPECT_EQ(usual.concurrent_syncs, 5U);
  EXPECT_EQ(usual.updates_batch_period.count(), 0);
  const auto given = parsed<ControllerCommand>(
                         "controller --endpoints-mirroring --mirroring-max-endpoints-per-subset 7 "
                         "--mirroring-concurrent-service-endpoint-syncs=2 "
                         "--mirroring-endpointslice-updates-batch-period 1s")
                         .mirroring;
  EXPECT_TRUE(given.enabled);
  EXPECT_EQ(given.max_endpoints_per_subset, 7U);
  EXPECT_EQ(given.concurrent_syncs, 2U);
  EXPECT_EQ(given.updates_batch_period, std::chrono::seconds(1));
}

TEST(CommandLine, BadValuesOfTheControllerNameTheFlagAndTheRange) {
  const struct {
    const char* arguments;
    const char* flag;
    const char* said;
  } rows[] = {
      {"--max-endpoints-per-slice 0", "--max-endpoints-per-slice", "from 1 to 1000"},
      {"--max-endpoints-per-slice 1001", "--max-endpoints-per-slice", "from 1 to 1000"},
      {"--concurrent-service-endpoint-syncs 51", "--concurrent-service-endpoint-syncs",
       "from 1 to 50"},
      {"--endpointslice-updates-batch-period 5", "--endpointslice-updates-batch-period",
       "a duration such as 500ms"},
      {"--leader-elect-lease-duration 1500ms", "--leader-elect-", "greater than renewDeadline"},
      {"--leader-elect-lease-duration 15", "--leader-elect-lease-duration",
       "a duration such as 500ms"},
      {"--leader-elect-lease-duration 10.5s", "--leader-elect-", "written in whole seconds"},
      {"--leader-elect-lease-duration 10s", "--leader-elect-",
       "leaseDuration must be greater than renewDeadline"},
      {"--web localhost:1", "--web", "127.0.0.1:10267"},
      {"--leader-elect=maybe", "--leader-elect", "Could not convert"},
      {"--web-allow-changes", "--web-allow-changes", "need --web"},
      {"--web-token-file t", "--web-token-file", "need --web"},
      {"--web-host-names a", "--web-host-names", "need --web"},
      {"--web-proxy-port 1", "--web-proxy-port", "need --web"},
      {"--web :0 --web-host-names a,,b", "--web-host-names", "names of hosts without ports"},
      {"--web :0 --web-host-names a:80", "--web-host-names", "names of hosts without ports"},
      {"--metrics-bind-address localhost:1", "--metrics-bind-address", "127.0.0.1:10267"},
      {"--metrics-bind-address ::1:1", "--metrics-bind-address", "[::1]:0"},
      {"--metrics-bind-address 127.0.0.1:65536", "--metrics-bind-address", "with a port"},
      {"--tls-cert-file a", "--tls-private-key-file", "together"},
      {"--logging-format xml", "--logging-format", "text, json"},
      {"--feature-gates Moon=true", "--feature-gates", "not a known feature gate"},
      {"--mirroring-max-endpoints-per-subset 1001", "--mirroring-max-endpoints-per-subset",
       "from 1 to 1000"},
      {"--mirroring-concurrent-service-endpoint-syncs 0",
       "--mirroring-concurrent-service-endpoint-syncs", "from 1 to 50"},
      {"-v 11", "-v", "from 0 to 10"},
      {"--price-file a", "--price-file", "unknown flag"},
      {"--report-bind-address 0.0.0.0:1", "--report-bind-address",
       "needs --report-advertise-address"},
      {"--report-advertise-address a", "--report-advertise-address", "needs --report-bind-address"},
      {"--report-config-map a", "--report-config-map", "\"a\" is not NAMESPACE/NAME"},
  };
  for (const auto& row : rows) {
    const auto command = parse_command_line(words(std::string("controller ") + row.arguments));
    ASSERT_FALSE(command.has_value()) << row.arguments;
    EXPECT_NE(command.error().message.find(row.flag), std::string::npos) << command.error().message;
    EXPECT_NE(command.error().message.find(row.said), std::string::npos) << command.error().message;
  }
}

TEST(CommandLine, AddressesToServeAt) {
  const struct {
    const char* text;
    bool enabled;
    const char* address;
    std::uint16_t port;
  } rows[] = {{"0", false, "127.0.0.1", 0},
              {":8080", true, "0.0.0.0", 8080},
              {"[::]:8080", true, "::", 8080},
              {"[10.1.2.3]:8080", true, "10.1.2.3", 8080},
              {"127.0.0.1:0", true, "127.0.0.1", 0}};
  for (const auto& row : rows) {
    const auto bind = parse_bind_address(row.text);
    ASSERT_TRUE(bind.has_value()) << row.text;
    EXPECT_EQ(bind->enabled, row.enabled) << row.text;
    EXPECT_EQ(bind->address, row.address) << row.text;
    EXPECT_EQ(bind->port, row.port) << row.text;
  }
  for (const char* text : {"", "8080", "[]:1", "1.2.3:1", "a:1", "127.0.0.1:", "[::1]"})
    EXPECT_FALSE(parse_bind_address(text).has_value()) << text;
}

TEST(CommandLine, NamesOfThePageAreAList) {
  EXPECT_EQ(parse_host_names("page,proxima.example.com").value(),
            (std::vector<std::string>{"page", "proxima.example.com"}));
  for (const char* text : {"", ",", "a,", "a b", "a:80", "http://a", "[::1]"})
    EXPECT_FALSE(parse_host_names(text).has_value()) << text;
}

TEST(CommandLine, DurationsAreGos) {
  using namespace std::chrono_literals;
  const struct {
    const char* text;
    std::chrono::nanoseconds duration;
  } rows[] = {{"0", 0s},       {"0s", 0s},   {"500ms", 500ms}, {"1m30s", 90s},
              {"1.5h", 5400s}, {"2us", 2us}, {"3µs", 3us},     {"7ns", 7ns}};
  for (const auto& row : rows) {
    const auto duration = parse_duration(row.text);
    ASSERT_TRUE(duration.has_value()) << row.text;
    EXPECT_EQ(*duration, row.duration) << row.text;
  }
  for (const char* text : {"", "5", "s", "-1s", "1s-", "1 s", "1d", "1e3s", "99999999999h"})
    EXPECT_FALSE(parse_duration(text).has_value()) << text;
}

TEST(CommandLine, FillsWhatThePlannerNeeds) {
  const auto command = parsed<PlanCommand>(
      "plan -f a --default-policy balanced --overload 10% --auto-start 0.1 --auto-stop 25% "
      "--feature-gates TopologyAwareHints=false --missing-node-data ignore --demand clients=web "
      "--measured a=1,b=2 --min-local-endpoints 3 "
      "--node-first --topology-keys kubernetes.io/hostname,* --zone-aware-min-cluster-size 2 "
      "--zone-aware-routing-enabled 50% --zone-aware-force-local-min-size 4 "
      "--zone-aware-basis healthy-hosts-weight --zone-aware-panic-threshold 30 "
      "--zone-aware-fail-on-panic --zone-aware-require-equal-zones --price-per-gb 0.01 "
      "--region-price-per-gb 0.05 -A -l app=cart --strict --no-headers --no-color");
  EXPECT_EQ(command.policy.default_policy, policy::PolicyKind::Balanced);
  EXPECT_DOUBLE_EQ(command.policy.overload, 0.1);
  EXPECT_DOUBLE_EQ(command.policy.auto_options.start_below, 0.1);
  EXPECT_DOUBLE_EQ(command.policy.auto_options.stop_above, 0.25);
  EXPECT_EQ(command.policy.auto_options.missing, policy::MissingNodeData::Ignore);
  EXPECT_FALSE(command.policy.gates.topology_aware_hints);
  EXPECT_EQ(command.policy.demand, "clients=web");
  EXPECT_EQ(command.policy.measured, "a=1,b=2");
  EXPECT_EQ(command.policy.min_local_endpoints, 3U);
  EXPECT_TRUE(command.policy.node_first);
  EXPECT_EQ(joined(command.policy.topology_keys), "kubernetes.io/hostname *");
  EXPECT_EQ(command.policy.zone_aware.min_cluster_size, 2U);
  EXPECT_DOUBLE_EQ(command.policy.zone_aware.routing_enabled_percent, 50);
  EXPECT_EQ(command.policy.zone_aware.force_local_zone_min_size, 4U);
  EXPECT_EQ(command.policy.zone_aware.basis, policy::LocalityBasis::HealthyHostsWeight);
  EXPECT_DOUBLE_EQ(command.policy.zone_aware.panic_threshold_percent, 30);
  EXPECT_TRUE(command.policy.zone_aware.fail_traffic_on_panic);
  EXPECT_TRUE(command.policy.zone_aware.require_equal_zone_number);
  EXPECT_DOUBLE_EQ(command.prices.price_per_gb, 0.01);
  EXPECT_DOUBLE_EQ(command.prices.region_price_per_gb.value_or(0), 0.05);
  EXPECT_TRUE(command.scope.all_namespaces);
  EXPECT_EQ(command.scope.selector, "app=cart");
  EXPECT_TRUE(command.input.strict);
  EXPECT_TRUE(command.output.no_headers);
  EXPECT_EQ(command.output.color, ColorMode::Never);
}

TEST(CommandLine, ExplainSeesFromANodeOrAZone) {
  const auto node = parsed<ExplainCommand>("explain service/shop/cart --from-node n1 -f a");
  EXPECT_EQ(node.service, "service/shop/cart");
  EXPECT_EQ(node.from_node, "n1");
  EXPECT_FALSE(node.family);
  const auto zone = parsed<ExplainCommand>("explain cart --from-zone a --family IPv6 -f a");
  EXPECT_EQ(zone.from_zone, "a");
  EXPECT_EQ(zone.family, IpFamily::V6);
  EXPECT_EQ(parsed<ExplainCommand>("explain cart --node 10.0.0.5").node, "10.0.0.5");
}

TEST(CommandLine, CompareTakesListsInBothWays) {
  const auto command = parsed<CompareCommand>(
      "compare -f a --policy auto,balanced --policy PreferClose --policy as-configured "
      "--overload 0,20% --overload inf --traffic t.csv --html p.html --all shop/cart");
  EXPECT_EQ(joined(command.policies), "auto balanced prefer-same-zone as-configured");
  ASSERT_EQ(command.overloads.size(), 3U);
  EXPECT_DOUBLE_EQ(command.overloads[1], 0.2);
  EXPECT_TRUE(std::isinf(command.overloads[2]));
  EXPECT_EQ(command.traffic_file, "t.csv");
  EXPECT_EQ(command.html_file, "p.html");
  EXPECT_TRUE(command.all);
  EXPECT_EQ(joined(command.services), "shop/cart");
}

TEST(CommandLine, SmallCommands) {
  EXPECT_EQ(
      parsed<GenerateCommand>("generate --nodes 5 --seed 18446744073709551615").options.shape.nodes,
      5U);
  EXPECT_EQ(parsed<ReasonsCommand>("reasons -o markdown").output.format, OutputFormat::Markdown);
  EXPECT_EQ(parsed<LimitsCommand>("limits -o markdown").output.format, OutputFormat::Markdown);
  EXPECT_EQ(parsed<CompletionCommand>("completion zsh").shell, Shell::Zsh);
  EXPECT_EQ(parsed<VersionCommand>("--version").format, OutputFormat::Table);
  EXPECT_EQ(parsed<VersionCommand>("version -o json").format, OutputFormat::Json);
  EXPECT_EQ(parsed<HelpCommand>("").topic, "");
  EXPECT_EQ(parsed<HelpCommand>("--help").topic, "");
  EXPECT_EQ(parsed<HelpCommand>("help plan").topic, "plan");
  EXPECT_EQ(parsed<HelpCommand>("plan --nonsense -h").topic, "plan");
  EXPECT_TRUE(std::holds_alternative<ManCommand>(*parse_command_line({"man"})));
}

TEST(CommandLine, FindsALiveClusterAsKubectlDoes) {
  const KubeOptions silent = parsed<PlanCommand>("plan").input.kube;
  EXPECT_EQ(silent.kubeconfig, "");
  EXPECT_EQ(silent.qps, 50);
  EXPECT_EQ(silent.burst, 100);
  const KubeOptions said =
      parsed<CompareCommand>(
          "compare --kubeconfig k --context c --kube-api-qps 5 --kube-api-burst 7")
          .input.kube;
  EXPECT_EQ(said.kubeconfig, "k");
  EXPECT_EQ(said.context, "c");
  EXPECT_EQ(said.qps, 5);
  EXPECT_EQ(said.burst, 7);
}

TEST(CommandLine, SaysWhatIsWrongAndWhereToReadMore) {
  const struct {
    const char* line;
    const char* error;
  } cases[] = {
      {"plam -f a", "unknown command: plam; did you mean plan?\nSee 'proxima --help'."},
      {"teleport", "unknown command: teleport\nSee 'proxima --help'."},
      {"-f a plan", "a command comes before flags: -f\nSee 'proxima --help'."},
      {"plan --filenam a", "unknown flag: --filenam; did you mean --filename?"},
      {"plan -f a --nonsense=3", "unknown flag: --nonsense\nSee 'proxima plan --help'."},
      {"plan -f a --kubeconfig b", "--filename excludes --kubeconfig"},
      {"plan -f a --context b", "--filename excludes --context"},
      {"plan --kube-api-qps many", "\"many\" is not a number of at least 0"},
      {"plan -f", "--filename: 1 required FILE missing"},
      {"plan -f a -o xml", "--output: \"xml\" is not one of table, wide, json, yaml"},
      {"plan -f a -o markdown", "\"markdown\" is not one of table, wide, json, yaml"},
      {"plan -f a --default-policy balance", "did you mean balanced?"},
      {"plan -f a --overload lots", "--overload: \"lots\" is not a bound on overload"},
      {"plan -f a --overload -1", "--overload"},
      {"plan -f a --auto-start inf", "--auto-start: \"inf\" is not a threshold"},
      {"plan -f a --demand moon", "--demand: "},
      {"plan -f a --min-local-endpoints 0", "\"0\" is not a whole number from 1 to"},
      {"plan -f a --zone-aware-panic-threshold 101", "\"101\" is not a percentage from 0 to 100"},
      {"plan -f a --price-per-gb 1e306", "\"1e306\" is not a number from 0 to 1,000,000"},
      {"plan -f a --overload 1e306", "\"1e306\" is not a bound on overload"},
      {"plan -f a --min-local-endpoints 1000001",
       "\"1000001\" is not a whole number from 1 to 1000000"},
      {"plan -f a --price-per-gb cheap", "\"cheap\" is not a number of at least 0"},
      {"plan -f a -l app=(", "--selector: "},
      {"plan -f a -l app=cart shop/cart", "services are given by name or by --selector, not both"},
      {"explain -f a --from-node n", "SERVICE is required"},
      {"explain cart -f a", "--from-node, --from-zone or --node is required"},
      {"explain cart --node n1 --from-node n1", "--from-node excludes --node"},
      {"explain cart -f a --from-node n --from-zone z", "--from-node excludes --from-zone"},
      {"explain cart -f a --from-node n --family IPv5", "\"IPv5\" is not one of IPv4, IPv6"},
      {"explain cart web -f a --from-node n", "unexpected argument: web"},
      {"compare -f a --policy fastest", "\"fastest\" is not a policy"},
      {"compare -f a --policy auto --overload 0", "--overload is for policy balanced"},
      {"compare -f a --overload 0,x", "\"x\" is not a bound on overload"},
      {"generate --zones 0", "\"0\" is not a whole number from 1 to 10000"},
      {"completion powershell", "shell: \"powershell\" is not one of bash, zsh, fish"},
      {"apiserver restore --data-dir a", "task: \"restore\" is not one of backup"},
      {"completion", "bash|zsh|fish is required: The shell"},
      {"reasons extra", "unexpected argument: extra"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.line);
    const auto command = parse_command_line(words(c.line));
    ASSERT_FALSE(command);
    EXPECT_NE(command.error().message.find(c.error), std::string::npos) << command.error().message;
    EXPECT_NE(command.error().message.find("\nSee 'proxima "), std::string::npos);
  }
}

TEST(CommandLine, DescribesEveryFlagWithWords) {
  const ProgramSpec program = describe_program();
  EXPECT_EQ(program.commands.size(), 18U);
  for (const CommandSpec& command : program.commands) {
    SCOPED_TRACE(command.name);
    EXPECT_FALSE(command.summary.empty());
    EXPECT_FALSE(command.examples.empty());
    for (const OptionSpec& option : command.options) {
      EXPECT_FALSE(option.description.empty()) << option_heading(option);
      EXPECT_FALSE(option.group.empty()) << option_heading(option);
    }
  }
}

TEST(CommandLine, EveryExampleParses) {
  for (const CommandSpec& command : describe_program().commands) {
    for (const Example& example : command.examples) {
      const auto begin = example.command.rfind("proxima ");
      ASSERT_NE(begin, std::string::npos) << example.command;
      auto arguments = words(example.command.substr(begin));
      arguments.erase(arguments.begin());
      const auto redirect = std::find_if(arguments.begin(), arguments.end(), [](const auto& word) {
        return word == ">" || word == "|";
      });
      arguments.erase(redirect, arguments.end());
      if (!arguments.empty() && arguments.back().ends_with(")")) arguments.back().pop_back();
      const auto parsed = parse_command_line(arguments);
      EXPECT_TRUE(parsed) << example.command << ": " << (parsed ? "" : parsed.error().message);
    }
  }
}

}  // namespace
}  // namespace proxima::cli
