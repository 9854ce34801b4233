// SPDX-License-Identifier: Apache-2.0
// The flags that say which live cluster is meant, and how often it is asked.
#pragma once

#include <string>

#include "cli/flag_row.h"
#include "cli/options.h"

namespace proxima::cli {

// Bound to the options, which must outlive them. `group` is the heading in the help, `fallback` how
// the sentence about the usual kubeconfig begins, `last` how it ends.
FlagRows cluster_flags(KubeOptions& options, const std::string& group, const std::string& fallback,
                       const std::string& last = "");

}  // namespace proxima::cli
