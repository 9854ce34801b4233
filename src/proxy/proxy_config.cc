// SPDX-License-Identifier: Apache-2.0
#include "proxy/proxy_config.h"

#include <algorithm>

namespace proxima::proxy {
namespace {

std::optional<LocalDetector> by_range(const std::vector<std::string>& ranges, IpFamily family) {
  for (const std::string& text : ranges) {
    const auto range = IpPrefix::parse(text);
    if (range && range->family() == family)
      return LocalDetector{.by = LocalDetector::By::SourceRange, .range = *range, .interface = {}};
  }
  return std::nullopt;
}

}  // namespace

// A machine with very many cores gets the cap even where the floor is above it, as upstream's does.
std::int64_t conntrack_max(const ConntrackConfig& config, std::int64_t cores) {
  constexpr std::int64_t kMost = 1'048'576;
  if (config.max_per_core <= 0) return 0;
  const std::int64_t scaled = config.max_per_core * cores;
  if (scaled > kMost) return kMost;
  return std::max(scaled, config.min);
}

std::optional<LocalDetector> local_detector(const ProxyConfig& config, IpFamily family,
                                            const std::vector<std::string>& node_pod_ranges) {
  using By = LocalDetector::By;
  const std::string& mode = config.detect_local_mode;
  if (mode == "ClusterCIDR") return by_range(config.cluster_cidrs, family);
  if (mode == "NodeCIDR") return by_range(node_pod_ranges, family);
  if (mode == "BridgeInterface")
    return LocalDetector{.by = By::Interface, .range = {}, .interface = config.bridge_interface};
  if (mode == "InterfaceNamePrefix")
    return LocalDetector{
        .by = By::InterfacePrefix, .range = {}, .interface = config.interface_name_prefix};
  return std::nullopt;
}

Result<std::string> node_name(std::string_view hostname_override,
                              std::string_view system_hostname) {
  const std::string_view text = hostname_override.empty() ? system_hostname : hostname_override;
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos)
    return Error{ErrorCode::InvalidInput, "empty hostname is invalid"};
  std::string name(text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1));
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return name;
}

}  // namespace proxima::proxy
