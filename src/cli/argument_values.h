// SPDX-License-Identifier: Apache-2.0
// The values that flags take. Errors say what was written and what would be right.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/ip_address.h"
#include "base/result.h"
#include "cli/options.h"

namespace proxima::cli {

// A whole number from `smallest` to `largest`.
struct CountBounds {
  std::uint64_t smallest = 0;
  std::uint64_t largest = 0;
};
Result<std::uint64_t> parse_count(std::string_view text, CountBounds bounds);

// A finite number of at least 0.
Result<double> parse_amount(std::string_view text);
// Of a GB, within its limit.
Result<double> parse_price(std::string_view text);
// 0 to 100, with or without "%".
Result<double> parse_percent(std::string_view text);
// "20%" or "0.2": at least 0 and finite.
Result<double> parse_threshold(std::string_view text);
Result<policy::PolicyKind> parse_policy_name(std::string_view text);
// A name of a policy, or "as-configured"; gives back the name as it is printed.
Result<std::string> parse_variant_name(std::string_view text);

// "30000-32767": the first and the last port.
struct PortRange {
  std::uint16_t first = 0;
  std::uint16_t last = 0;
};
Result<PortRange> parse_port_range(std::string_view text);

// As Go writes durations: "15s", "1m30s", "500ms", "1.5h"; not negative.
Result<std::chrono::nanoseconds> parse_duration(std::string_view text);
// The same, in whole seconds and at least one.
Result<std::chrono::seconds> parse_seconds(std::string_view text);
// "127.0.0.1:10267", "[::1]:10267", ":10267" for every address, "0" for none at all.
Result<BindAddress> parse_bind_address(std::string_view text);
// "NAMESPACE/NAME" of the ConfigMap for reports; "" where there are none.
Result<std::string> parse_report_config_map(std::string_view text);
// "proxima.example.com,page": names of hosts without ports, at least one.
Result<std::vector<std::string>> parse_host_names(std::string_view text);

inline constexpr std::string_view kAsConfigured = "as-configured";

// One of a few names for values of T.
template <class T, std::size_t N>
using Choices = std::array<std::pair<std::string_view, T>, N>;

inline constexpr Choices<OutputFormat, 4> kOutputFormats = {{{"table", OutputFormat::Table},
                                                             {"wide", OutputFormat::Wide},
                                                             {"json", OutputFormat::Json},
                                                             {"yaml", OutputFormat::Yaml}}};
inline constexpr Choices<OutputFormat, 4> kMigrateFormats = {{{"table", OutputFormat::Table},
                                                              {"json", OutputFormat::Json},
                                                              {"yaml", OutputFormat::Yaml},
                                                              {"patch", OutputFormat::Patch}}};
inline constexpr Choices<plan::MoveTarget, 3> kMoveTargets = {
    {{"trafficDistribution", plan::MoveTarget::TrafficDistribution},
     {"balanced", plan::MoveTarget::Balanced},
     {"auto", plan::MoveTarget::Auto}}};
inline constexpr Choices<OutputFormat, 5> kReasonFormats = {{{"table", OutputFormat::Table},
                                                             {"wide", OutputFormat::Wide},
                                                             {"json", OutputFormat::Json},
                                                             {"yaml", OutputFormat::Yaml},
                                                             {"markdown", OutputFormat::Markdown}}};
inline constexpr Choices<OutputFormat, 4> kCheckFormats = {{{"text", OutputFormat::Table},
                                                            {"json", OutputFormat::Json},
                                                            {"yaml", OutputFormat::Yaml},
                                                            {"markdown", OutputFormat::Markdown}}};
inline constexpr Choices<checks::Component, 3> kComponents = {
    {{"both", checks::Component::Both},
     {"controller", checks::Component::Controller},
     {"proxy", checks::Component::Proxy}}};
inline constexpr Choices<manifest::TextFormat, 2> kManifestFormats = {
    {{"yaml", manifest::TextFormat::Yaml}, {"json", manifest::TextFormat::Json}}};
inline constexpr Choices<manifest::PolicyMix, 7> kPolicyMixes = {
    {{"mixed", manifest::PolicyMix::Mixed},
     {"none", manifest::PolicyMix::None},
     {"auto", manifest::PolicyMix::Auto},
     {"prefer-same-zone", manifest::PolicyMix::PreferSameZone},
     {"prefer-same-node", manifest::PolicyMix::PreferSameNode},
     {"topology-keys", manifest::PolicyMix::TopologyKeys},
     {"balanced", manifest::PolicyMix::Balanced}}};
inline constexpr Choices<OutputFormat, 3> kVersionFormats = {
    {{"table", OutputFormat::Table}, {"json", OutputFormat::Json}, {"yaml", OutputFormat::Yaml}}};
inline constexpr Choices<ManFormat, 2> kManFormats = {
    {{"roff", ManFormat::Roff}, {"markdown", ManFormat::Markdown}}};
inline constexpr Choices<ColorMode, 3> kColorModes = {
    {{"auto", ColorMode::Auto}, {"always", ColorMode::Always}, {"never", ColorMode::Never}}};
inline constexpr Choices<ApiserverTask, 1> kApiserverTasks = {{{"backup", ApiserverTask::Backup}}};
inline constexpr Choices<apiserver::StoreOptions::Durability, 2> kDurabilities = {
    {{"full", apiserver::StoreOptions::Durability::Full},
     {"normal", apiserver::StoreOptions::Durability::Normal}}};
inline constexpr Choices<telemetry::LogFormat, 2> kLogFormats = {
    {{"text", telemetry::LogFormat::Text}, {"json", telemetry::LogFormat::Json}}};
inline constexpr Choices<Shell, 3> kShells = {
    {{"bash", Shell::Bash}, {"zsh", Shell::Zsh}, {"fish", Shell::Fish}}};
inline constexpr Choices<IpFamily, 2> kFamilies = {
    {{"IPv4", IpFamily::V4}, {"IPv6", IpFamily::V6}}};
inline constexpr Choices<policy::MissingNodeData, 3> kMissingNodeData = {
    {{"disable", policy::MissingNodeData::Disable},
     {"one-core", policy::MissingNodeData::OneCore},
     {"ignore", policy::MissingNodeData::Ignore}}};
inline constexpr Choices<policy::LocalityBasis, 2> kLocalityBases = {
    {{"healthy-hosts-num", policy::LocalityBasis::HealthyHostsNum},
     {"healthy-hosts-weight", policy::LocalityBasis::HealthyHostsWeight}}};

// "table|wide|json|yaml", as help shows it.
template <class T, std::size_t N>
std::string choice_names(const Choices<T, N>& choices) {
  std::string out;
  for (const auto& [name, value] : choices) out.append(out.empty() ? "" : "|").append(name);
  return out;
}

Error not_a_choice(std::string_view text, std::string_view names);

template <class T, std::size_t N>
Result<T> parse_choice(std::string_view text, const Choices<T, N>& choices) {
  for (const auto& [name, value] : choices) {
    if (name == text) return value;
  }
  return not_a_choice(text, choice_names(choices));
}

}  // namespace proxima::cli
