// SPDX-License-Identifier: Apache-2.0
#include "slices/wanted_mirrors.h"

#include <map>
#include <span>
#include <utility>

#include "slices/mirrored_endpoint.h"
#include "slices/repack_subsets.h"

namespace proxima::slices {
namespace {

using Endpoints = std::vector<kube::EndpointRecord>;

// The addresses of one subset, up to the limit; both families count together.
class SubsetEndpoints {
 public:
  explicit SubsetEndpoints(std::size_t limit) : limit_(limit) {}

  void add(std::span<const kube::EndpointsAddressRecord* const> addresses, model::Condition ready) {
    for (const kube::EndpointsAddressRecord* address : addresses) {
      if (taken_ >= limit_) return;
      auto mirrored = mirrored_endpoint(*address, ready);
      if (!mirrored) {
        ++invalid_;
        continue;
      }
      ++taken_;
      of(mirrored->family).push_back(std::move(mirrored->endpoint));
    }
  }
  Endpoints& of(IpFamily family) { return family == IpFamily::V4 ? v4_ : v6_; }
  std::size_t taken() const { return taken_; }
  std::size_t invalid() const { return invalid_; }

 private:
  std::size_t limit_;
  std::size_t taken_ = 0;
  std::size_t invalid_ = 0;
  Endpoints v4_;
  Endpoints v6_;
};

// An address can be written in two ways. The later one counts, which is the one that is not ready.
Endpoints each_once(Endpoints all) {
  std::map<EndpointIdentity, const kube::EndpointRecord*> last;
  for (const auto& endpoint : all) last[identity_of(endpoint)] = &endpoint;
  if (last.size() == all.size()) return all;
  Endpoints once;
  for (const auto& endpoint : all)
    if (last.at(identity_of(endpoint)) == &endpoint) once.push_back(endpoint);
  return once;
}

}  // namespace

WantedMirrors wanted_mirrors(const kube::EndpointsRecord& endpoints,
                             std::size_t max_endpoints_per_subset) {
  WantedMirrors wanted;
  for (const RepackedSubset& subset : repack_subsets(endpoints.subsets)) {
    SubsetEndpoints taken(max_endpoints_per_subset);
    taken.add(subset.ready, model::Condition::True);
    taken.add(subset.not_ready, model::Condition::False);
    wanted.addresses_invalid += taken.invalid();
    wanted.addresses_skipped += subset.size() - taken.taken();
    auto add = [&](kube::AddressType type, Endpoints& all) {
      if (!all.empty()) wanted.mirrors.push_back({type, subset.ports, each_once(std::move(all))});
    };
    add(kube::AddressType::IPv4, taken.of(IpFamily::V4));
    add(kube::AddressType::IPv6, taken.of(IpFamily::V6));
  }
  return wanted;
}

}  // namespace proxima::slices
