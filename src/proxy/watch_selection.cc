// SPDX-License-Identifier: Apache-2.0
#include "proxy/watch_selection.h"

#include "core/model/labels.h"

namespace proxima::proxy {
namespace {

bool names_this_proxy(const kube::ServiceRecord& service, std::string_view proxy_name) {
  const Text named = kube::label(service.labels, model::kProxyNameLabel);
  if (proxy_name.empty()) return !named.has_value();
  return named.has_value() && named.view() == proxy_name;
}

}  // namespace

WatchSelection watch_selection(std::string_view proxy_name) {
  const std::string label(model::kProxyNameLabel);
  return {
      .service_labels = proxy_name.empty() ? "!" + label : label + "=" + std::string(proxy_name),
      .service_fields = "spec.clusterIP!=None",
      .slice_labels = "!" + std::string(model::kHeadlessLabel)};
}

bool is_routed(const kube::ServiceRecord& service, std::string_view proxy_name) {
  if (service.headless || service.type == model::ServiceType::ExternalName) return false;
  return !service.cluster_ips.empty() && names_this_proxy(service, proxy_name);
}

bool is_routed(const kube::EndpointSliceRecord& slice) {
  if (slice.address_type == kube::AddressType::Fqdn || slice.service.view().empty()) return false;
  return !kube::label(slice.labels, model::kHeadlessLabel).has_value();
}

}  // namespace proxima::proxy
