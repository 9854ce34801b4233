// SPDX-License-Identifier: Apache-2.0
// Which services of a cluster the user means.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "cli/options.h"
#include "core/model/snapshot.h"

namespace proxima::cli {

struct ServiceReference {
  std::optional<std::string> ns;
  std::string name;
};

// NAME, NAMESPACE/NAME, and the same after "service/", "services/" or "svc/".
Result<ServiceReference> parse_service_reference(std::string_view text);

// "shop/cart".
std::string full_name(const model::Snapshot& snapshot, model::ServiceIndex service);

// The services in scope, in the order of the snapshot; only those that `names` name when there are
// any. The error names what does not exist, and what is near it.
Result<std::vector<model::ServiceIndex>> choose_services(const model::Snapshot& snapshot,
                                                         const ScopeOptions& scope,
                                                         const std::vector<std::string>& names);

// Exactly one; an error when the name fits several namespaces.
Result<model::ServiceIndex> choose_service(const model::Snapshot& snapshot,
                                           const ScopeOptions& scope, const std::string& name);

Result<model::NodeIndex> choose_node(const model::Snapshot& snapshot, const std::string& name);
Result<model::ZoneIndex> choose_zone(const model::Snapshot& snapshot, const std::string& name);

}  // namespace proxima::cli
