// SPDX-License-Identifier: Apache-2.0
#include "apiserver/human_duration.h"

#include <boost/json/value.hpp>
#include "apiserver/json_lookup.h"
#include "apiserver/pod_summary.h"
#include "apiserver/table_cells.h"

namespace proxima::apiserver {
namespace {

using boost::json::object;

// "3 (5m ago)"
std::string restarts(const PodSummary& summary, TableTime now) {
  std::string count = std::to_string(summary.restarts);
  if (summary.restarts == 0 || !summary.last_restart) return count;
  return count + " (" + human_duration(now - *summary.last_restart) + " ago)";
}

bool is_true(const object& pod, std::string_view condition) {
  for (const auto& item : items_at(pod, "status.conditions"))
    if (text_at(as_object(item), "type") == condition)
      return text_at(as_object(item), "status") == "True";
  return false;
}

std::string readiness_gates(const object& pod) {
  const auto& gates = items_at(pod, "spec.readinessGates");
  if (gates.empty()) return "<none>";
  std::size_t open = 0;
  for (const auto& gate : gates)
    if (is_true(pod, text_at(as_object(gate), "conditionType"))) ++open;
  return std::to_string(open) + "/" + std::to_string(gates.size());
}

}  // namespace

boost::json::array pod_cells(const object& pod, TableTime now) {
  const PodSummary summary = summarize_pod(pod);
  const auto ip = or_else(text_at(pod, "status.podIPs.0.ip"), text_at(pod, "status.podIP"));
  return {text_at(pod, "metadata.name"),
          std::to_string(summary.ready) + "/" + std::to_string(summary.containers),
          summary.reason,
          restarts(summary, now),
          object_age(pod, now),
          or_else(ip, "<none>"),
          or_else(text_at(pod, "spec.nodeName"), "<none>"),
          or_else(text_at(pod, "status.nominatedNodeName"), "<none>"),
          readiness_gates(pod)};
}

boost::json::array pod_row_conditions(const object& pod) {
  const auto phase = text_at(pod, "status.phase");
  if (phase != "Succeeded" && phase != "Failed") return {};
  const std::string_view message =
      phase == "Failed" ? "The pod failed." : "The pod has completed successfully.";
  object completed = {
      {"type", "Completed"}, {"status", "True"}, {"reason", phase}, {"message", message}};
  boost::json::array out;
  out.push_back(std::move(completed));
  return out;
}

}  // namespace proxima::apiserver
