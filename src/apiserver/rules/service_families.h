// SPDX-License-Identifier: Apache-2.0
// Which address families a Service gets: what it asked for, what it had, what the cluster has.
#pragma once

#include <string_view>
#include <vector>

#include "apiserver/rules/field_errors.h"
#include "apiserver/rules/json_fields.h"

namespace proxima::apiserver::rules {

// clusterIPs follows clusterIP where a client knows only the one. `old` is null on create.
void sync_cluster_ips(JsonFields& service, const JsonFields* old);
// Values that were allocated before and that an update does not mention.
void keep_allocated(JsonFields& service, const JsonFields& old);
// Fills ipFamilyPolicy and ipFamilies. `configured` are the cluster's families, the primary first.
std::vector<FieldError> complete_families(JsonFields& service, const JsonFields* old,
                                          const std::vector<std::string_view>& configured);
// Both prefer two stacks and nothing about their addresses changed: then nothing is done, whatever
// became of the cluster meanwhile.
bool keeps_preferred_families(const JsonFields& service, const JsonFields* old);

}  // namespace proxima::apiserver::rules
