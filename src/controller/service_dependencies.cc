// SPDX-License-Identifier: Apache-2.0
#include "controller/service_dependencies.h"

namespace proxima::controller {

void ServiceDependencies::set(const std::string& service, On on) {
  if (on.nodes) {
    on_nodes_.insert(service);
  } else {
    on_nodes_.erase(service);
  }
  if (const auto before = clients_.find(service); before != clients_.end()) {
    if (before->second == on.clients) return;
    const auto row = by_clients_.find(before->second);
    row->second.erase(service);
    if (row->second.empty()) by_clients_.erase(row);
    clients_.erase(before);
  }
  if (on.clients.empty()) return;
  by_clients_[on.clients].insert(service);
  clients_.emplace(service, std::move(on.clients));
}

void ServiceDependencies::clear() {
  on_nodes_.clear();
  clients_.clear();
  by_clients_.clear();
}

ServiceKeys ServiceDependencies::on_clients(std::string_view ns, std::string_view owner) const {
  if (by_clients_.empty()) return {};
  const auto found = by_clients_.find(std::string(ns) + "/" + std::string(owner));
  if (found == by_clients_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

}  // namespace proxima::controller
