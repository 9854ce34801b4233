// SPDX-License-Identifier: Apache-2.0
#include <boost/json/value.hpp>
#include <set>

#include "apiserver/json_lookup.h"
#include "apiserver/table_cells.h"

namespace proxima::apiserver {
namespace {

using boost::json::object;

constexpr std::string_view kRolePrefix = "node-role.kubernetes.io/";
constexpr std::string_view kRoleLabel = "kubernetes.io/role";

// "Ready,SchedulingDisabled"
std::string status(const object& node) {
  std::string out = "Unknown";
  for (const auto& item : items_at(node, "status.conditions")) {
    const object& condition = as_object(item);
    if (text_at(condition, "type") != "Ready") continue;
    out = text_at(condition, "status") == "True" ? "Ready" : "NotReady";
  }
  return flag_at(node, "spec.unschedulable") ? out + ",SchedulingDisabled" : out;
}

std::string roles(const object& node) {
  std::set<std::string> found;
  for (const auto& [label, value] : object_at(node, "metadata.labels")) {
    const std::string_view key = label;
    if (key.starts_with(kRolePrefix)) {
      if (key.size() > kRolePrefix.size()) found.emplace(key.substr(kRolePrefix.size()));
    } else if (key == kRoleLabel && value.is_string() && !value.get_string().empty()) {
      found.emplace(value.get_string());
    }
  }
  const std::vector<std::string> sorted(found.begin(), found.end());
  return std::string(or_else(join(sorted, ","), "<none>"));
}

std::string_view address(const object& node, std::string_view type) {
  for (const auto& item : items_at(node, "status.addresses"))
    if (text_at(as_object(item), "type") == type) return text_at(as_object(item), "address");
  return "<none>";
}

std::string kernel(const object& info) {
  std::string out(or_else(text_at(info, "kernelVersion"), "<unknown>"));
  const auto machine = text_at(info, "architecture");
  return machine.empty() ? out : out.append(" (").append(machine).append(")");
}

}  // namespace

boost::json::array node_cells(const object& node, TableTime now) {
  const object& info = object_at(node, "status.nodeInfo");
  return {text_at(node, "metadata.name"),
          status(node),
          roles(node),
          object_age(node, now),
          text_at(info, "kubeletVersion"),
          address(node, "InternalIP"),
          address(node, "ExternalIP"),
          or_else(text_at(info, "osImage"), "<unknown>"),
          kernel(info),
          or_else(text_at(info, "containerRuntimeVersion"), "<unknown>")};
}

}  // namespace proxima::apiserver
