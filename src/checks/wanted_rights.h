// SPDX-License-Identifier: Apache-2.0
// The rights that controller and node proxy need, as the manifests in deploy/ grant them; a test
// holds both equal.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checks/check_table.h"

namespace proxima::checks {

// A rule of a Role or ClusterRole. Several words in one text are separated by spaces.
struct RightRule {
  Component component;
  std::string_view group;  // "" is the core group
  std::string_view resources;
  std::string_view verbs;
  bool of_namespace = false;  // only in the namespace that Proxima is installed in
  std::string_view name = {};
  std::string_view paths = {};  // instead of resources
};
std::span<const RightRule> right_rules();

// One question to the API server.
struct Right {
  Component component = Component::Controller;
  std::string verb;
  std::string group;
  std::string resource;  // with its subresource: "services/status"
  std::string ns;        // "": in all namespaces
  std::string name;      // "": any
  std::string path;      // instead of a resource
};
// "list servicecidrs.networking.k8s.io", "post /node-reports".
std::string to_text(const Right& right);
// `ns`: where Proxima is installed.
std::vector<Right> wanted_rights(Component component, std::string_view ns);

}  // namespace proxima::checks
