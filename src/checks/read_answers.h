// SPDX-License-Identifier: Apache-2.0
// From answers of an API server, as JSON, to facts. Pure. What is missing or of another type is as
// if it were not said; an error: the text is no object, or no list.
#pragma once

#include <string_view>

#include "checks/cluster_facts.h"

namespace proxima::checks {

Result<ServerVersion> read_version(std::string_view object);
// "Thu, 19 Nov 2026 03:23:11 GMT", as HTTP has it; none: it is no such date.
std::optional<Clock::WallTime> read_http_date(std::string_view text);

Result<std::vector<NodeRow>> read_nodes(std::string_view list);
Result<std::vector<SliceRow>> read_slices(std::string_view list);
Result<std::vector<Workload>> read_daemon_sets(std::string_view list);
Result<std::vector<Workload>> read_deployments(std::string_view list);
Result<std::vector<ManagerPod>> read_manager_pods(std::string_view list);

// What a SelfSubjectAccessReview says.
Result<bool> read_allowed(std::string_view review);
// Of the ConfigMap of Cilium and of Calico's FelixConfiguration: the setting by which it takes
// Services; "" when it does not.
Result<std::string> read_cilium_setting(std::string_view config_map);
Result<std::string> read_felix_setting(std::string_view configuration);

}  // namespace proxima::checks
