// SPDX-License-Identifier: Apache-2.0
// What happens to kube-proxy's rules once ours are active: removed where that was asked for and
// nftables can do it, and otherwise told.
#pragma once

#include "proxy/node_planes.h"
#include "telemetry/log.h"

namespace proxima::cli {

enum class TakeOver { Remove, Tell };

void take_over_from_kube_proxy(proxy::NodePlanes& planes, TakeOver how, const telemetry::Log& log);

}  // namespace proxima::cli
