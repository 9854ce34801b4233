// SPDX-License-Identifier: Apache-2.0
// Connections of each Service that started in a zone of the cluster, and those of them that stayed
// there, for reports to the controller. Pure.
#pragma once

#include "proxy/flow_accounts.h"
#include "reports/connection_deltas.h"

namespace proxima::proxy {

reports::ConnectionTotals connection_totals(const FlowAccounts& accounts);

}  // namespace proxima::proxy
