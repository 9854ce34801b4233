// SPDX-License-Identifier: Apache-2.0
// What the page's POST requests say, read and checked. Errors name the field and what is allowed;
// fields that nobody knows are refused, because they are misspelt ones.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/result.h"
#include "web/lab_actions.h"
#include "web/prediction.h"

namespace proxima::web {

struct PredictRequest {
  std::string service;
  PolicyWish wish;
};
struct ScaleRequest {
  std::string service;
  std::map<std::string, std::uint32_t> zones;
};

Result<PredictRequest> read_predict(std::string_view body);
// {"policy":"balanced","overload":0.2}; a policy of null: no annotation at all.
Result<PolicyWish> read_policy(std::string_view body);
// {"zone":"zone-a"} or {"node":"node-1"}: the one field that there must be.
Result<std::string> read_name(std::string_view body, std::string_view field);
Result<HealTarget> read_heal(std::string_view body);
Result<ScaleRequest> read_scale(std::string_view body);
// Shares between 0 and 1 that are not more than 1 together.
Result<std::map<std::string, double>> read_demand(std::string_view body);

}  // namespace proxima::web
