// SPDX-License-Identifier: Apache-2.0
// Which settings of the kernel a node proxy wants at its start, and writing them. Deciding is pure;
// writing is only that.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "proxy/proxy_config.h"

namespace proxima::proxy {

struct KernelSetting {
  enum class Rule : std::uint8_t {
    Exactly,
    AtLeast,  // more than that is left as it is
  };
  std::string path;  // from the root on
  std::int64_t value = 0;
  Rule rule = Rule::Exactly;
  // Whether it is left alone when the setting before it was refused.
  bool needs_previous = false;
  friend bool operator==(const KernelSetting&, const KernelSetting&) = default;
};

// Whether the connection tracking shall count bytes, of which the proxy's metrics of flows are
// made. Left: as it is, because somebody else may have asked for it.
enum class ByteCounts : std::uint8_t { Asked, Left };

// Settings of the node, in this order. What is 0 in the configuration is left to the kernel. A
// process that only initializes the node (--init-only) writes these and no others.
std::vector<KernelSetting> kernel_settings(const ProxyConfig& config, std::int64_t cores,
                                           ByteCounts bytes);
// The setting of the process that routes: its score when memory runs out.
KernelSetting process_setting(const ProxyConfig& config);

// Of a list of numbers and ranges as the kernel writes it ("0-3,8"); 1 when it cannot be read.
std::int64_t count_cores(std::string_view list);
// Of this machine, not only those that this process may run on.
std::int64_t machine_cores(const std::string& root);

struct SettingsWritten {
  std::vector<std::string> changed;  // "/proc/… = 3", for the log
  // Each with the reason. A container whose /proc is read-only has them all here and works.
  std::vector<std::string> refused;
};
// Writes what differs. `root` is put in front of every path: "" but in tests.
SettingsWritten write_kernel_settings(std::span<const KernelSetting> settings,
                                      const std::string& root);
// What of it would be refused, each with the reason, as far as that shows without writing.
std::vector<std::string> refused_kernel_settings(std::span<const KernelSetting> settings,
                                                 const std::string& root);

}  // namespace proxima::proxy
