// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <boost/json/value.hpp>
#include <map>
#include <set>

#include "apiserver/json_lookup.h"
#include "apiserver/table_cells.h"

namespace proxima::apiserver {
namespace {

using boost::json::array;
using boost::json::object;

// "80:30080/TCP,443/TCP"
std::string ports(const object& service) {
  std::vector<std::string> parts;
  for (const auto& item : items_at(service, "spec.ports")) {
    const object& port = as_object(item);
    std::string text = std::to_string(number_at(port, "port"));
    const std::int64_t node_port = number_at(port, "nodePort");
    if (node_port > 0) text += ":" + std::to_string(node_port);
    parts.push_back(text.append("/").append(text_at(port, "protocol")));
  }
  return join(parts, ",");
}

// Addresses and names of the load balancer, each once, sorted.
std::vector<std::string> ingress(const object& service) {
  std::set<std::string> found;
  for (const auto& item : items_at(service, "status.loadBalancer.ingress")) {
    const object& point = as_object(item);
    const auto name = or_else(text_at(point, "ip"), text_at(point, "hostname"));
    if (!name.empty()) found.emplace(name);
  }
  return {found.begin(), found.end()};
}

std::string external_ip(const object& service) {
  const std::string_view type = text_at(service, "spec.type");
  if (type == "ExternalName") return std::string(text_at(service, "spec.externalName"));
  const bool balanced = type == "LoadBalancer";
  if (!balanced && type != "ClusterIP" && type != "NodePort") return "<unknown>";
  std::vector<std::string> all;
  if (balanced) all = ingress(service);
  for (std::string& address : texts_of(items_at(service, "spec.externalIPs")))
    all.push_back(std::move(address));
  if (all.empty()) return balanced ? "<pending>" : "<none>";
  return join(all, ",");
}

std::string selector(const object& service) {
  std::map<std::string, std::string> sorted;
  for (const auto& [key, value] : object_at(service, "spec.selector"))
    if (const auto* text = value.if_string()) sorted.emplace(key, *text);
  std::vector<std::string> parts;
  for (const auto& [key, value] : sorted)
    parts.push_back(std::string(key).append("=").append(value));
  return std::string(or_else(join(parts, ","), "<none>"));
}

std::string cluster_ip(const object& service) {
  const auto* first = find_at(service, "spec.clusterIPs.0");
  if (first != nullptr && first->is_string()) return std::string(first->get_string());
  return std::string(or_else(text_at(service, "spec.clusterIP"), "<none>"));
}

}  // namespace

array service_cells(const object& service, TableTime now) {
  return {text_at(service, "metadata.name"),
          text_at(service, "spec.type"),
          cluster_ip(service),
          external_ip(service),
          or_else(ports(service), "<none>"),
          object_age(service, now),
          selector(service)};
}

}  // namespace proxima::apiserver
