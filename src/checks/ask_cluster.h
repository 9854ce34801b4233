// SPDX-License-Identifier: Apache-2.0
// Asks an API server for everything that checks need. Reads only; blocking.
#pragma once

#include <string>

#include "base/clock.h"
#include "checks/cluster_facts.h"
#include "kube/api.h"

namespace proxima::checks {

struct ClusterQuestion {
  std::string url;                 // of the server, to be told
  std::string ns = "kube-system";  // where Proxima is installed
  Scope scope;                     // nothing is asked for that no check in it needs
};

// An error: the server does not answer, or not to these credentials.
Result<ClusterFacts> ask_cluster(kube::KubeApi& api, const ClusterQuestion& question,
                                 const Clock& clock);

}  // namespace proxima::checks
