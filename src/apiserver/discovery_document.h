// SPDX-License-Identifier: Apache-2.0
// What discovery says of the served kinds, in the old form (a document a group) and in the
// aggregated one (one document for all groups).
#pragma once

#include <boost/json/fwd.hpp>
#include <string_view>
#include <vector>

#include "apiserver/resource.h"

namespace proxima::apiserver {

// Groups but for the core one, in the order of their names.
std::vector<std::string_view> served_groups();
// Kinds of a group, by plural.
std::vector<const ResourceType*> resources_of_group(std::string_view group);
// "create", "delete"…, sorted.
std::vector<std::string_view> verbs_of(const ResourceType& type);

boost::json::object api_versions(std::string_view server_address);
boost::json::object api_group(std::string_view group);
boost::json::object api_group_list();
boost::json::object api_resource_list(std::string_view group);

enum class AggregatedPart { Core, Groups };  // /api and /apis
boost::json::object group_discovery_list(AggregatedPart part, std::string_view version);

boost::json::object server_version();

}  // namespace proxima::apiserver
