// SPDX-License-Identifier: Apache-2.0
// The objects that a lab of some shape begins with, in the order in which they are made. Pure.
#pragma once

#include <string>
#include <vector>

#include "agents/lab_shape.h"
#include "kube/api.h"

namespace proxima::agents {

struct FirstObject {
  kube::Resource resource;
  std::string ns;
  std::string name;
  std::string json;
};

// Namespaces, Nodes, Services and Pods. Clients are not among them: they come with their nodes.
std::vector<FirstObject> first_lab_objects(const LabShape& shape);

}  // namespace proxima::agents
