// SPDX-License-Identifier: Apache-2.0
#include "cli/up_flags.h"

#include <fmt/format.h>

#include <limits>

#include "agents/lab_shape.h"
#include "cli/argument_values.h"
#include "cli/value_rows.h"

namespace proxima::cli {
namespace {

constexpr const char* kUpHeading = "Lab";
constexpr const char* kPlaces = "Places";
constexpr const char* kRun = "Run";
// What the addresses of a lab have room for, and one machine can carry.
constexpr CountBounds kZones = {1, 10};
constexpr CountBounds kNodesPerZone = {1, 10};

Result<double> parse_rate(std::string_view text) {
  auto rate = parse_amount(text);
  if (rate && *rate > agents::kRequestsPerSecondMax)
    return Error{ErrorCode::InvalidInput,
                 fmt::format("\"{}\" is above {}", text, agents::kRequestsPerSecondMax)};
  return rate;
}

// The page changes things for whoever has its token, and speaks plain HTTP: this machine only.
Result<WebAddress> parse_web(std::string_view text) {
  auto bind = parse_bind_address(text);
  if (!bind) return std::move(bind).error();
  const auto address = IpAddress::parse(bind->address);
  const bool loopback = address && (bind->address == "::1" || address->bytes()[0] == 127);
  if (!bind->enabled || !loopback)
    return Error{ErrorCode::InvalidInput,
                 "\"" + std::string(text) + "\" is not on this machine's loopback: 127.0.0.1:PORT"};
  return WebAddress{bind->address, bind->port};
}

void add_lab(FlagRows& rows, UpCommand& command) {
  rows.push_back(text_row("--scenario", "FILE", kUpHeading, command.scenario,
                          "A cluster and a timeline of what happens to it, as YAML; the example "
                          "cluster when not given"));
  rows.push_back(count_row("--zones", kUpHeading, command.zones, kZones,
                           "Zones of the example cluster (default 3)"));
  rows.push_back(count_row("--nodes-per-zone", kUpHeading, command.nodes_per_zone, kNodesPerZone,
                           "Nodes of each of its zones (default 2)"));
  rows.push_back(value_row("--rate", "NUMBER", kUpHeading, command.rate, parse_rate,
                           "Requests a second that all clients send together (default 60)"));
  rows.push_back({"--without-traffic", "", kUpHeading, "Start without clients: nothing is sent",
                  [&command](const std::string& text) -> Status {
                    command.traffic = text != "true";
                    return Unit{};
                  }});
  rows.push_back(switch_row("--simulator", kUpHeading, command.simulator,
                            "No network namespaces: traffic is predicted instead of measured"));
  rows.push_back(count_row("--seed", kUpHeading, command.seed,
                           {0, std::numeric_limits<std::uint64_t>::max()},
                           "Another number gives clients that choose differently (default 1)"));
}

void add_places(FlagRows& rows, UpCommand& command) {
  rows.push_back(text_row("--data-dir", "DIRECTORY", kPlaces, command.data_directory,
                          "Keep the cluster here, for the next start; when not given it is gone at "
                          "the end"));
  rows.push_back(value_row("--web", "ADDRESS:PORT", kPlaces, command.web, parse_web,
                           "Where the page is served, on this machine only (default 127.0.0.1:0, "
                           "any free port)"));
  rows.push_back(count_row("--secure-port", kPlaces, command.api_port, {0, 65535},
                           "The port of the Kubernetes API; 0 takes any free one (the default)"));
}

void add_run(FlagRows& rows, UpCommand& command) {
  rows.push_back(switch_row("--open", kRun, command.open, "Open the page in the browser"));
  rows.push_back(value_row("--for", "DURATION", kRun, command.for_time, parse_duration,
                           "End by itself after so long; without it a signal (Ctrl-C) ends it"));
  rows.push_back(count_row("-v,--v", kRun, command.verbosity, {0, 10},
                           "How much goes into the log files: 0 what an operator needs, 2 what is "
                           "decided, 4 every sync (default 0)"));
}

}  // namespace

FlagRows up_flags(UpCommand& command) {
  FlagRows rows;
  add_lab(rows, command);
  add_places(rows, command);
  add_run(rows, command);
  return rows;
}

std::string contradiction(const UpCommand& command) {
  if (!command.scenario.empty() && (command.zones || command.nodes_per_zone))
    return "--zones and --nodes-per-zone are for the example cluster; --scenario describes its own";
  if (!command.traffic && command.rate)
    return "--rate says how much clients send, --without-traffic that there are none";
  return {};
}

}  // namespace proxima::cli
