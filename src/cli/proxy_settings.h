// SPDX-License-Identifier: Apache-2.0
// What `proxima proxy` runs with: a configuration file, or what the flags say, checked.
#pragma once

#include <string>
#include <vector>

#include "cli/options.h"
#include "proxy/kernel_settings.h"
#include "proxy/proxy_config.h"

namespace proxima::cli {

struct ProxySettings {
  proxy::ProxyConfig config;
  std::string node_name;
  std::vector<std::string> warnings;
  std::string file_mark;  // of the file as it was read, see cli/file_guard.h; "" without one
};

// Reads the file, if there is one. The error lists all that is wrong.
Result<ProxySettings> proxy_settings(const ProxyCommand& command,
                                     const std::string& system_hostname);

// Of this machine as a node.
std::vector<proxy::KernelSetting> kernel_settings(const ProxyCommand& command,
                                                  const ProxySettings& settings);

// The KubeProxyConfiguration that the flags stand for, as JSON. Pure.
std::string flags_as_configuration(const ProxyCommand& command);

}  // namespace proxima::cli
