// SPDX-License-Identifier: Apache-2.0
// A notation for tests of mirroring. Addresses: "7" is 10.0.0.7, "v7" is fd00::7, anything else is
// itself; "!" not ready; "@b" has a target with the uid b. Subsets: "1 !2 :80,443 | 3 :80". Slices:
// "s1=1 !2 :80; s2=v1 :80".
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "core/model/labels.h"
#include "kube/endpoints_record.h"
#include "slices/mirror_endpoints.h"
#include "slices/mirrored_slice.h"

namespace proxima::slices {

inline std::vector<std::string> split_words(std::string_view text, char separator) {
  std::vector<std::string> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(separator), text.size());
    std::string_view word = text.substr(0, end);
    while (word.starts_with(' ')) word.remove_prefix(1);
    while (word.ends_with(' ')) word.remove_suffix(1);
    if (!word.empty()) words.emplace_back(word);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

inline bool is_number(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(),
                                      [](char digit) { return digit >= '0' && digit <= '9'; });
}

inline std::string full_address(std::string_view word) {
  if (is_number(word)) return "10.0.0." + std::string(word);
  if (word.starts_with('v')) return "fd00::" + std::string(word.substr(1));
  return std::string(word);
}

inline std::string short_address(std::string_view address) {
  if (address.starts_with("10.0.0.")) return std::string(address.substr(7));
  if (address.starts_with("fd00::")) return "v" + std::string(address.substr(6));
  return std::string(address);
}

inline std::string address_text(const kube::EndpointsAddressRecord& address) {
  return short_address(address.ip.view()) +
         (address.target ? "@" + std::string(address.target->uid.view()) : "");
}

inline kube::EndpointsAddressRecord address_of(std::string_view word) {
  kube::EndpointsAddressRecord address;
  const std::size_t at = std::min(word.find('@'), word.size());
  address.ip = Text(full_address(word.substr(0, at)));
  if (at < word.size()) {
    address.target.emplace();
    address.target->uid = Text(word.substr(at + 1));
    address.target->name = Text("pod-" + std::string(word.substr(at + 1)));
  }
  return address;
}

inline EndpointPorts ports_of(std::string_view text) {
  EndpointPorts ports;
  for (const std::string& word : split_words(text, ','))
    ports.push_back({Text("p" + word), Text("TCP"), std::stoi(word), Text()});
  return ports;
}

inline std::string render_ports(const EndpointPorts& ports) {
  std::string out = ":";
  for (const auto& port : ports)
    out += (out.size() > 1 ? "," : "") + std::to_string(port.port.value_or(0));
  return out;
}

inline kube::EndpointsSubsetRecord subset_of(std::string_view text) {
  kube::EndpointsSubsetRecord subset;
  for (const std::string& word : split_words(text, ' ')) {
    if (word.starts_with(':')) {
      subset.ports = ports_of(std::string_view(word).substr(1));
    } else if (word.starts_with('!')) {
      subset.not_ready.push_back(address_of(std::string_view(word).substr(1)));
    } else {
      subset.ready.push_back(address_of(word));
    }
  }
  return subset;
}

inline kube::EndpointsRecord endpoints_of(std::string_view text) {
  kube::EndpointsRecord endpoints;
  endpoints.meta.ns = Text("shop");
  endpoints.meta.name = Text("db");
  endpoints.meta.uid = Text("u-1");
  endpoints.labels = kube::LabelSetRef(new kube::LabelSet({{Text("tier"), Text("data")}}));
  endpoints.annotations = kube::LabelSetRef(new kube::LabelSet({{Text("note"), Text("hello")}}));
  for (const std::string& subset : split_words(text, '|'))
    endpoints.subsets.push_back(subset_of(subset));
  return endpoints;
}

// As it would have been written earlier for the same Endpoints object.
inline kube::EndpointSliceRecord slice_of(const kube::EndpointsRecord& endpoints,
                                          std::string_view text) {
  const std::size_t equals = text.find('=');
  const auto subset = subset_of(text.substr(equals + 1));
  const bool is_v6 =
      !subset.ready.empty() && subset.ready[0].ip.view().find(':') != std::string_view::npos;
  auto slice = new_mirrored_slice(
      endpoints, is_v6 ? kube::AddressType::IPv6 : kube::AddressType::IPv4, subset.ports);
  slice.meta.name = Text(text.substr(0, equals));
  slice.meta.uid = Text("uid-" + std::string(text.substr(0, equals)));
  auto add = [&](const kube::EndpointsAddressRecord& address, model::Condition ready) {
    kube::EndpointRecord endpoint;
    endpoint.addresses = {address.ip};
    endpoint.ready = ready;
    endpoint.target = address.target;
    slice.endpoints.push_back(std::move(endpoint));
  };
  for (const auto& address : subset.ready) add(address, model::Condition::True);
  for (const auto& address : subset.not_ready) add(address, model::Condition::False);
  return slice;
}

inline std::vector<SliceRef> slices_of(const kube::EndpointsRecord& endpoints,
                                       std::string_view text) {
  std::vector<SliceRef> slices;
  for (const std::string& slice : split_words(text, ';'))
    slices.push_back(SliceRef(new kube::EndpointSliceRecord(slice_of(endpoints, slice))));
  return slices;
}

inline std::string render_slice(const kube::EndpointSliceRecord& slice) {
  std::string out;
  for (const auto& endpoint : slice.endpoints) {
    if (endpoint.ready == model::Condition::False) out += "!";
    for (const Text& address : endpoint.addresses) out += short_address(address.view());
    if (endpoint.target) out += "@" + std::string(endpoint.target->uid.view());
    out += " ";
  }
  return out + render_ports(slice.ports);
}

inline std::string render_draft(const MirrorDraft& draft) {
  std::string out;
  auto line = [&](const std::string& text) { out += (out.empty() ? "" : "; ") + text; };
  for (const FamilyDraft& family : draft.families) {
    for (const auto& slice : family.creates) line("create " + render_slice(slice.value));
    for (const auto& slice : family.updates)
      line("update " + std::string(slice.value.meta.name.view()) + "=" + render_slice(slice.value));
    for (const auto& slice : family.unchanged) line("keep " + std::string(slice->key().name));
    for (const auto& slice : family.deletes) line("delete " + std::string(slice->key().name));
  }
  return out;
}

}  // namespace proxima::slices
