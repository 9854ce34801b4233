// SPDX-License-Identifier: Apache-2.0
// The configuration in force, for people and programs to read (/configz).
#pragma once

#include <string>

#include "proxy/proxy_config.h"

namespace proxima::proxy {

// One JSON object, with kube-proxy's names.
std::string render_config(const ProxyConfig& config);

}  // namespace proxima::proxy
