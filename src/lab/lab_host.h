// SPDX-License-Identifier: Apache-2.0
// A namespace becomes a host of a lab, and hosts are connected.
#pragma once

#include "lab/cable_plan.h"
#include "lab/host_kind.h"

namespace proxima::lab {

// The kernel's settings that such a host has, and its loopback device.
Status prepare_host(const NetworkNamespace& host, HostKind kind);

Status lay_cable(const NetworkNamespace& near, const NetworkNamespace& far, const Cable& cable);

// The two steps of one end, also for an end that was without power: first both ends are up, then
// routes can name what is behind them.
Status set_up_end(RouteSocket& socket, const CableEnd& end);
Status route_end(RouteSocket& socket, const CableEnd& end);
// After both ends are up: the kernel needs a moment until they can be used.
Status wait_for_cable(const NetworkNamespace& near, const NetworkNamespace& far,
                      const Cable& cable);

}  // namespace proxima::lab
