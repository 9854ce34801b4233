// SPDX-License-Identifier: Apache-2.0
#include "agents/first_lab_objects.h"

#include <set>

#include "agents/lab_objects.h"
#include "agents/scale_plan.h"

namespace proxima::agents {
namespace {

void add_service(const ServiceShape& service, std::vector<FirstObject>& objects) {
  objects.push_back({kube::kServices, service.ns, service.name, render_service(service)});
  const ScalePlan plan = plan_scale(service.name, {}, {}, service.endpoints);
  for (const auto& [name, zone] : plan.created)
    objects.push_back({kube::kPods, service.ns, name,
                       render_pod({service.ns, name, zone, {{"app", service.name}}})});
}

}  // namespace

std::vector<FirstObject> first_lab_objects(const LabShape& shape) {
  std::vector<FirstObject> objects;
  std::set<std::string> namespaces = {std::string(kClientNamespace)};
  for (const ServiceShape& service : shape.services) namespaces.insert(service.ns);
  for (const std::string& ns : namespaces)
    objects.push_back({kube::kNamespaces, "", ns, render_namespace(ns)});
  std::size_t number = 0;
  for (const ZoneShape& zone : shape.zones) {
    for (std::size_t i = 0; i < zone.nodes; ++i) {
      const std::string name = "node-" + std::to_string(++number);
      objects.push_back({kube::kNodes, "", name, render_node(name, zone.name)});
    }
  }
  for (const ServiceShape& service : shape.services) add_service(service, objects);
  return objects;
}

}  // namespace proxima::agents
