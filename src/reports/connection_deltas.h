// SPDX-License-Identifier: Apache-2.0
// Turns totals since the start of a proxy into what each report adds. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "reports/node_report.h"

namespace proxima::reports {

// By Service, "shop/web".
struct ConnectionTotal {
  std::uint64_t connections = 0;
  std::uint64_t local = 0;
};
using ConnectionTotals = std::map<std::string, ConnectionTotal>;

class ConnectionDeltas {
 public:
  // What came since the last call, the Services with the most connections first where there are
  // more than kCountedServicesMax; the others are in a later call. Totals that are smaller than
  // before were counted anew.
  std::vector<CountedConnections> take(const ConnectionTotals& totals);

 private:
  ConnectionTotals taken_;
};

}  // namespace proxima::reports
