// SPDX-License-Identifier: Apache-2.0
// A lab of network namespaces: a machine for every node and Pod, a real proxy in every node, HTTP
// servers and clients.
#pragma once

#include <memory>

#include "cli/node_proxies.h"
#include "cli/running_lab.h"

namespace proxima::cli {

struct NamespaceLabOptions {
  agents::LabShape shape;
  NodeProxyOptions proxies;
  std::uint64_t seed = 0;
};

// Needs the rights to make namespaces, see lab/user_namespace.h. The ports must outlive it.
Result<std::unique_ptr<RunningLab>> start_namespace_lab(NamespaceLabOptions options,
                                                        const RunningLabPorts& ports);

}  // namespace proxima::cli
