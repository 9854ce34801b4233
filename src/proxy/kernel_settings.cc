// SPDX-License-Identifier: Apache-2.0
#include "proxy/kernel_settings.h"

#include <charconv>
#include <chrono>
#include <optional>

namespace proxima::proxy {
namespace {

constexpr std::string_view kNetfilter = "/proc/sys/net/netfilter/";
constexpr std::string_view kHashSize = "/sys/module/nf_conntrack/parameters/hashsize";
constexpr std::string_view kOutOfMemory = "/proc/self/oom_score_adj";
// Entries a bucket of the kernel's hash table, as kube-proxy has it.
constexpr std::int64_t kEntriesPerBucket = 4;

KernelSetting netfilter(std::string_view name, std::int64_t value) {
  return {.path = std::string(kNetfilter) + std::string(name), .value = value};
}

std::optional<std::int64_t> number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// Of "3" one, of "0-3" four.
std::optional<std::int64_t> range_length(std::string_view range) {
  const std::size_t dash = range.find('-');
  const auto first = number(range.substr(0, dash));
  const auto last = dash == std::string_view::npos ? first : number(range.substr(dash + 1));
  if (!first || !last || *last < *first) return std::nullopt;
  return *last - *first + 1;
}

}  // namespace

std::vector<KernelSetting> kernel_settings(const ProxyConfig& config, std::int64_t cores,
                                           ByteCounts bytes) {
  const ConntrackConfig& conntrack = config.conntrack;
  std::vector<KernelSetting> settings;
  if (const std::int64_t most = conntrack_max(conntrack, cores); most > 0) {
    settings.push_back(netfilter("nf_conntrack_max", most));
    // The hash table belongs to the whole machine. A node that is a network namespace may not set
    // the limit, and then has no business with the table either.
    settings.push_back({.path = std::string(kHashSize),
                        .value = most / kEntriesPerBucket,
                        .rule = KernelSetting::Rule::AtLeast,
                        .needs_previous = true});
  }
  const auto timeout = [&](std::string_view name, std::chrono::nanoseconds time) {
    if (time.count() <= 0) return;
    settings.push_back(
        netfilter(name, std::chrono::duration_cast<std::chrono::seconds>(time).count()));
  };
  timeout("nf_conntrack_tcp_timeout_established", conntrack.tcp_established_timeout);
  timeout("nf_conntrack_tcp_timeout_close_wait", conntrack.tcp_close_wait_timeout);
  if (conntrack.tcp_be_liberal) settings.push_back(netfilter("nf_conntrack_tcp_be_liberal", 1));
  timeout("nf_conntrack_udp_timeout", conntrack.udp_timeout);
  timeout("nf_conntrack_udp_timeout_stream", conntrack.udp_stream_timeout);
  if (bytes == ByteCounts::Asked) settings.push_back(netfilter("nf_conntrack_acct", 1));
  return settings;
}

KernelSetting process_setting(const ProxyConfig& config) {
  return {.path = std::string(kOutOfMemory), .value = config.oom_score_adj};
}

std::int64_t count_cores(std::string_view list) {
  while (!list.empty() && (list.back() == '\n' || list.back() == ' ')) list.remove_suffix(1);
  std::int64_t cores = 0;
  while (true) {
    const std::size_t comma = list.find(',');
    const auto length = range_length(list.substr(0, comma));
    if (!length) return 1;
    cores += *length;
    if (comma == std::string_view::npos) return cores;
    list.remove_prefix(comma + 1);
  }
}

}  // namespace proxima::proxy
