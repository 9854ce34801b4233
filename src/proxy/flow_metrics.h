// SPDX-License-Identifier: Apache-2.0
// What was counted of connections, as metrics.
#pragma once

#include <memory>

#include "proxy/flow_books.h"
#include "telemetry/metrics.h"

namespace proxima::proxy {

// Declares them, once a registry. They are brought up to date whenever the registry is rendered.
void show_flows(telemetry::MetricsRegistry& registry, std::shared_ptr<const FlowBooks> books);

}  // namespace proxima::proxy
