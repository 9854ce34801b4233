// SPDX-License-Identifier: Apache-2.0
// The flags of `proxima proxy`: kube-proxy's names where they mean the same, and a few of our own.
#pragma once

#include <map>
#include <string>

#include "cli/flag_row.h"
#include "cli/options.h"

namespace proxima::cli {

// Bound to the command, which must outlive them.
FlagRows proxy_flags(ProxyCommand& command);

// All of them by each of their names, without dashes, with what counts where nothing was said.
std::map<std::string, std::string> proxy_flag_values(const ProxyCommand& command);

}  // namespace proxima::cli
