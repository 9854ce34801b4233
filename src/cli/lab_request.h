// SPDX-License-Identifier: Apache-2.0
// What `proxima lab` asks of a running lab, as values: the words of the command line become a
// request, and a request becomes a path and a body. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "cli/argument_values.h"
#include "cli/up_options.h"

namespace proxima::cli {

inline constexpr Choices<LabAction, 8> kLabActions = {{{"status", LabAction::Status},
                                                       {"add-node", LabAction::AddNode},
                                                       {"scale", LabAction::Scale},
                                                       {"kill-node", LabAction::KillNode},
                                                       {"fail-zone", LabAction::FailZone},
                                                       {"heal", LabAction::Heal},
                                                       {"demand", LabAction::Demand},
                                                       {"policy", LabAction::Policy}}};

struct LabRequest {
  LabAction action = LabAction::Status;
  std::string name;                                   // a zone or a node; "" for neither
  std::string service;                                // as written
  std::vector<std::pair<std::string, double>> zones;  // Pods of scale, shares of demand
  std::optional<std::string> policy;                  // of Policy; none: annotations are removed
  std::optional<double> overload;
};

// An error says what the action wants.
Result<LabRequest> parse_lab_request(const LabCommand& command);

// What a lab has.
struct LabNames {
  std::vector<std::string> zones;
  std::vector<std::string> nodes;
  std::vector<std::string> services;  // "shop/even"
};

// The request with every name as the lab spells it: a service may be written without its namespace
// where that is clear. An error offers what may have been meant.
Result<LabRequest> with_known_names(LabRequest request, const LabNames& names);

struct LabCall {
  std::string path;
  std::string body;  // JSON
};
// Of a request with known names; not of Status. `names` tells a zone from a node.
LabCall render_call(const LabRequest& request, const LabNames& names);
// "zone-b has failed": what is said when it is done.
std::string done_text(const LabRequest& request);

}  // namespace proxima::cli
