// SPDX-License-Identifier: Apache-2.0
#include "slices/pod_endpoint.h"

#include <algorithm>

namespace proxima::slices {
namespace {

constexpr std::string_view kPodKind = "Pod";

model::Condition condition(bool value) {
  return value ? model::Condition::True : model::Condition::False;
}

// In an object reference a field that is missing is an empty one.
bool same_text(const Text& a, const Text& b) { return a.is_same(b) || a.view() == b.view(); }

// Beyond the name. The resourceVersion changes with every change of the Pod, and says nothing to
// anybody.
bool refers_to(const kube::TargetRecord& target, const kube::PodRecord& pod) {
  return same_text(target.uid, pod.uid) && target.kind.view() == kPodKind &&
         target.api_version.view().empty() && target.field_path.view().empty();
}

bool same_zone(const Text& published, const Text* zone) {
  return zone == nullptr ? !published.has_value() : published == *zone;
}

}  // namespace

bool can_be_endpoint(const kube::PodRecord& pod) {
  return pod.phase != model::PodPhase::Succeeded && pod.phase != model::PodPhase::Failed &&
         !pod.addresses.all().empty();
}

EndpointMaker::EndpointMaker(const kube::ServiceRecord& service, kube::AddressType family)
    : service_(service),
      family_(family == kube::AddressType::IPv6 ? IpFamily::V6 : IpFamily::V4),
      pod_kind_(kPodKind) {}

bool EndpointMaker::has_address(const kube::PodRecord& pod) const {
  const auto addresses = pod.addresses.all();
  return std::any_of(addresses.begin(), addresses.end(),
                     [&](const IpAddress& address) { return address.family() == family_; });
}

bool EndpointMaker::is_of(const kube::EndpointRecord& endpoint, const kube::PodRecord& pod) const {
  return endpoint.target && same_text(endpoint.target->name, pod.name) &&
         same_text(endpoint.target->ns, pod.ns) && same_text(endpoint.hostname, hostname_of(pod)) &&
         has_addresses_of(endpoint, pod);
}

bool EndpointMaker::is_current(const kube::EndpointRecord& endpoint,
                               const PodSource& source) const {
  const kube::PodRecord& pod = *source.pod;
  return endpoint.ready == condition(is_ready(pod)) && endpoint.serving == condition(pod.ready) &&
         endpoint.terminating == condition(pod.terminating) && endpoint.node == pod.node &&
         same_zone(endpoint.zone, source.zone) && endpoint.target &&
         refers_to(*endpoint.target, pod);
}

kube::EndpointRecord EndpointMaker::make(const PodSource& source) const {
  const kube::PodRecord& pod = *source.pod;
  kube::EndpointRecord endpoint;
  endpoint.addresses = addresses_of(pod);
  endpoint.ready = condition(is_ready(pod));
  endpoint.serving = condition(pod.ready);
  endpoint.terminating = condition(pod.terminating);
  endpoint.hostname = hostname_of(pod);
  endpoint.node = pod.node;
  if (source.zone != nullptr) endpoint.zone = *source.zone;
  kube::TargetRecord& target = endpoint.target.emplace();
  target.kind = pod_kind_;
  target.ns = pod.ns;
  target.name = pod.name;
  target.uid = pod.uid;
  return endpoint;
}

// "ready" never tells clients to use a Pod that is going away, unless the Service asked for all.
bool EndpointMaker::is_ready(const kube::PodRecord& pod) const {
  return service_.publish_not_ready || (pod.ready && !pod.terminating);
}

// Only a Pod that names the Service as its subdomain has a name of its own below it.
const Text& EndpointMaker::hostname_of(const kube::PodRecord& pod) const {
  if (pod.hostname.view().empty() || !pod.workload) return none_;
  const bool below =
      same_text(pod.workload->subdomain, service_.meta.name) && pod.ns == service_.meta.ns;
  return below ? pod.hostname : none_;
}

bool EndpointMaker::has_addresses_of(const kube::EndpointRecord& endpoint,
                                     const kube::PodRecord& pod) const {
  const auto addresses = pod.addresses.all();
  const auto ours = [&](const IpAddress& address) { return address.family() == family_; };
  const auto count = std::count_if(addresses.begin(), addresses.end(), ours);
  if (static_cast<std::size_t>(count) != endpoint.addresses.size()) return false;
  if (count == 1) {
    IpAddress::Buffer buffer;
    const auto address = std::find_if(addresses.begin(), addresses.end(), ours);
    return address->print(buffer) == endpoint.addresses.front().view();
  }
  std::vector<Text> published = endpoint.addresses;
  std::sort(published.begin(), published.end());
  return published == addresses_of(pod);
}

std::vector<Text> EndpointMaker::addresses_of(const kube::PodRecord& pod) const {
  std::vector<Text> texts;
  IpAddress::Buffer buffer;
  for (const IpAddress& address : pod.addresses.all())
    if (address.family() == family_) texts.emplace_back(address.print(buffer));
  std::sort(texts.begin(), texts.end());
  return texts;
}

}  // namespace proxima::slices
