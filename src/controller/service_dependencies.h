// SPDX-License-Identifier: Apache-2.0
// What decisions about Services were made of beside the Services and their Pods: nodes, and Pods of
// client workloads. Services are keys, "shop/web". For one thread at a time.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>

#include "controller/service_index.h"

namespace proxima::controller {

class ServiceDependencies {
 public:
  struct On {
    bool nodes = false;
    std::string clients;  // "shop/Deployment/web"; empty: none
  };
  void set(const std::string& service, On on);
  void forget(const std::string& service) { set(service, {}); }
  void clear();

  ServiceKeys on_nodes() const { return {on_nodes_.begin(), on_nodes_.end()}; }
  // `owner`: "Deployment/web".
  ServiceKeys on_clients(std::string_view ns, std::string_view owner) const;

 private:
  std::set<std::string> on_nodes_;
  std::map<std::string, std::string> clients_;  // by Service
  std::map<std::string, std::set<std::string>, std::less<>> by_clients_;
};

}  // namespace proxima::controller
