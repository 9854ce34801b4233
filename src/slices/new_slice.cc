// SPDX-License-Identifier: Apache-2.0
#include "slices/new_slice.h"

#include <algorithm>
#include <utility>

#include "slices/slice_labels.h"

namespace proxima::slices {
namespace {

constexpr std::string_view kServiceKind = "Service";
constexpr std::string_view kServiceApiVersion = "v1";
constexpr std::size_t kMostNameBytes = 253;

bool is_letter_or_digit(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

// RFC 1123: parts of letters, digits and dashes with dots between, no dash at an edge of a part.
bool is_dns_subdomain(std::string_view name) {
  if (name.empty() || name.size() > kMostNameBytes) return false;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (is_letter_or_digit(name[i])) continue;
    const bool at_edge = i == 0 || i + 1 == name.size() || name[i - 1] == '.' || name[i + 1] == '.';
    if (at_edge || (name[i] != '-' && name[i] != '.')) return false;
    if (name[i] == '.' && (!is_letter_or_digit(name[i - 1]) || !is_letter_or_digit(name[i + 1])))
      return false;
  }
  return true;
}

kube::OwnerReference owner_reference(const kube::ServiceRecord& service) {
  return {.api_version = Text(kServiceApiVersion),
          .kind = Text(kServiceKind),
          .name = service.meta.name,
          .uid = service.meta.uid,
          .controller = true,
          .block_owner_deletion = true};
}

}  // namespace

std::string generated_name_prefix(std::string_view service) {
  // The API server looks at a prefix as if its dash and the character before were a letter.
  std::string masked(service.substr(0, service.empty() ? 0 : service.size() - 1));
  masked += 'a';
  return std::string(service) + (is_dns_subdomain(masked) ? "-" : "");
}

kube::EndpointSliceRecord new_slice(const kube::ServiceRecord& service, kube::AddressType family,
                                    EndpointPorts ports) {
  kube::EndpointSliceRecord slice;
  slice.meta.ns = service.meta.ns;
  slice.generate_name = Text(generated_name_prefix(service.meta.name.view()));
  slice.labels = slice_labels(service);
  slice.owners.push_back(owner_reference(service));
  slice.address_type = family;
  slice.service = service.meta.name;
  slice.ports = std::move(ports);
  return slice;
}

bool is_owned_by(const kube::EndpointSliceRecord& slice, const kube::ServiceRecord& service) {
  return std::any_of(
      slice.owners.begin(), slice.owners.end(), [&](const kube::OwnerReference& owner) {
        return owner.uid.view() == service.meta.uid.view() && owner.kind.view() == kServiceKind &&
               owner.api_version.view() == kServiceApiVersion;
      });
}

}  // namespace proxima::slices
