// SPDX-License-Identifier: Apache-2.0
#include "proxy/reachable_backends.h"

#include <algorithm>
#include <iterator>

namespace proxima::proxy {

Backends reachable_backends(const PortRoutes& routes) {
  Backends both;
  both.reserve(routes.cluster.size() + routes.local.size());
  std::set_union(routes.cluster.begin(), routes.cluster.end(), routes.local.begin(),
                 routes.local.end(), std::back_inserter(both),
                 [](const Backend& a, const Backend& b) { return a.at < b.at; });
  return both;
}

std::vector<BackendAddress> hairpin_backends(const PortRoutes& routes) {
  std::vector<BackendAddress> own;
  for (const Backend& backend : reachable_backends(routes)) {
    if (backend.local) own.push_back(backend.at);
  }
  return own;
}

}  // namespace proxima::proxy
