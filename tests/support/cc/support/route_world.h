// SPDX-License-Identifier: Apache-2.0
// Services and EndpointSlices in a line of text each, for tests of the node proxy.
#pragma once

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>
#include <vector>

#include "kube/endpoint_slice_record.h"
#include "kube/service_record.h"

namespace proxima::test {

using ServiceRef = Ref<const kube::ServiceRecord>;
using SliceRef = Ref<const kube::EndpointSliceRecord>;

namespace world {

using kube::EndpointRecord;
using kube::EndpointSliceRecord;
using kube::LabelText;
using kube::ServiceRecord;
using model::Condition;

inline std::string_view take_word(std::string_view& text, char end) {
  const auto word = text.substr(0, text.find(end));
  text.remove_prefix(std::min(text.size(), word.size() + 1));
  return word;
}

inline int number(std::string_view text) {
  int value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

inline std::string with_blanks(std::string_view text) {
  std::string out(text);
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

inline LabelText pair(std::string_view text) {
  const auto colon = text.find(':');
  return {Text(text.substr(0, colon)), Text(with_blanks(text.substr(colon + 1)))};
}

inline kube::LabelSetRef label_set(std::vector<LabelText> labels) {
  std::sort(labels.begin(), labels.end(),
            [](const LabelText& a, const LabelText& b) { return a.key < b.key; });
  return kube::LabelSetRef(new kube::LabelSet(std::move(labels)));
}

struct PortWord {
  std::string_view name;
  int port;
  std::string_view protocol;
  int node_port;
};

// NAME:80/UDP>30080
inline PortWord port_word(std::string_view text) {
  PortWord word{take_word(text, ':'), 0, "TCP", 0};
  const auto at = text.find('>');
  if (at != std::string_view::npos) word.node_port = number(text.substr(at + 1));
  text = text.substr(0, at);
  word.port = number(take_word(text, '/'));
  if (!text.empty()) word.protocol = text;
  return word;
}

struct ServiceWords {
  ServiceRecord& record;
  std::vector<LabelText> labels = {};
  std::vector<LabelText> annotations = {};

  bool plain(std::string_view word) {
    if (word == "NodePort")
      record.type = model::ServiceType::NodePort;
    else if (word == "LoadBalancer")
      record.type = model::ServiceType::LoadBalancer;
    else if (word == "ExternalName")
      record.type = model::ServiceType::ExternalName;
    else if (word == "headless")
      record.headless = true;
    else if (word == "iLocal")
      record.internal_policy = model::TrafficPolicy::Local;
    else if (word == "eLocal")
      record.external_policy = model::TrafficPolicy::Local;
    else
      return word == "ClusterIP";
    return true;
  }

  void cluster_ip(const IpAddress& address) {
    record.cluster_ips.push_back(address);
    record.ip_families.push_back(address.family());
    (address.family() == IpFamily::V4 ? record.has_v4 : record.has_v6) = true;
  }

  void port(std::string_view value) {
    const PortWord word = port_word(value);
    record.ports.push_back({.name = Text(word.name),
                            .protocol = kube::parse_protocol(word.protocol),
                            .port = static_cast<std::uint16_t>(word.port),
                            .node_port = static_cast<std::uint16_t>(word.node_port)});
  }

  void address(std::string_view key, std::string_view value) {
    const IpAddress parsed = IpAddress::parse(value).value();
    if (key == "ip") cluster_ip(parsed);
    if (key == "external") record.external_ips.push_back(parsed), record.has_external_ips = true;
    if (key == "vip") record.load_balancer.push_back({parsed, kube::IpMode::Vip});
    if (key == "proxied") record.load_balancer.push_back({parsed, kube::IpMode::Proxy});
  }

  void named(std::string_view key, std::string_view value) {
    if (key == "port")
      port(value);
    else if (key == "range")
      record.source_ranges.emplace_back(with_blanks(value));
    else if (key == "health")
      record.health_check_node_port = static_cast<std::uint16_t>(number(value));
    else if (key == "affinity") {
      record.client_ip_affinity = true;
      record.affinity_seconds = static_cast<std::uint32_t>(number(value));
    } else if (key == "label")
      labels.push_back(pair(value));
    else if (key == "annotation")
      annotations.push_back(pair(value));
    else if (key == "keys")
      record.topology_keys.emplace_back(value);
    else if (key == "distribution")
      record.traffic_distribution = Text(value);
    else
      address(key, value);
  }
};

inline std::vector<Text> words(std::string_view text, char mark) {
  std::vector<Text> found;
  for (auto at = text.find(mark); at != std::string_view::npos; at = text.find(mark, at + 1)) {
    const auto word = text.substr(at + 1);
    found.emplace_back(word.substr(0, word.find_first_of("@%!~?+^")));
  }
  return found;
}

inline EndpointRecord endpoint(std::string_view word) {
  EndpointRecord record;
  record.addresses.emplace_back(word.substr(0, word.find_first_of("@%!~?+^")));
  const auto has = [&](char mark) { return word.find(mark) != std::string_view::npos; };
  if (has('@')) record.node = words(word, '@').front();
  if (has('%')) record.zone = words(word, '%').front();
  if (has('!') || has('~') || has('?')) record.ready = Condition::False;
  if (has('!')) record.serving = Condition::False;
  if (has('~')) record.terminating = Condition::True;
  record.zone_hints = words(word, '+');
  record.node_hints = words(word, '^');
  return record;
}

inline kube::EndpointPortRecord endpoint_port(std::string_view value) {
  const PortWord word = port_word(value);
  return {.name = Text(word.name),
          .protocol = Text(word.protocol),
          .port = word.port,
          .app_protocol = {}};
}

struct SliceWords {
  EndpointSliceRecord& record;
  std::vector<LabelText> labels = {};
  std::vector<LabelText> annotations = {};

  void add(std::string_view word) {
    const auto equals = word.find('=');
    const auto key = word.substr(0, equals);
    const auto value = equals == std::string_view::npos ? "" : word.substr(equals + 1);
    if (word == "v6")
      record.address_type = kube::AddressType::IPv6;
    else if (word == "fqdn")
      record.address_type = kube::AddressType::Fqdn;
    else if (key == "port")
      record.ports.push_back(endpoint_port(value));
    else if (key == "version")
      record.meta.version = static_cast<kube::Version>(number(value));
    else if (key == "label")
      labels.push_back(pair(value));
    else if (key == "annotation")
      annotations.push_back(pair(value));
    else
      record.endpoints.push_back(endpoint(word));
  }
};

}  // namespace world

// "ns/name WORD…", words: TYPE (ClusterIP, NodePort, LoadBalancer, ExternalName), headless,
// ip=ADDRESS, port=NAME:80[/UDP][>NODEPORT], external=ADDRESS, vip=ADDRESS, proxied=ADDRESS,
// range=CIDR, affinity=SECONDS, health=PORT, iLocal, eLocal, label=KEY:VALUE,
// annotation=KEY:VALUE, keys=KEY (of spec.topologyKeys), distribution=VALUE. Underscores in values
// stand for blanks. Words may come several times.
inline ServiceRef service(std::string_view text) {
  auto record = make_ref<kube::ServiceRecord>();
  std::string_view name = world::take_word(text, ' ');
  record->meta.ns = Text(world::take_word(name, '/'));
  record->meta.name = Text(name);
  world::ServiceWords words{*record};
  while (!text.empty()) {
    const auto word = world::take_word(text, ' ');
    if (word.empty() || words.plain(word)) continue;
    const auto equals = word.find('=');
    words.named(word.substr(0, equals), word.substr(equals + 1));
  }
  record->labels = world::label_set(words.labels);
  record->annotations = world::label_set(words.annotations);
  return record;
}

// "ns/service[/slice] WORD…", words: v6, fqdn, port=NAME:80[/UDP], version=N, label=KEY:VALUE,
// annotation=KEY:VALUE, and endpoints "ADDRESS[@NODE][%ZONE][!|~|?][+ZONEHINT…][^NODEHINT…]":
// '!' neither ready nor serving, '~' draining, '?' serving but neither ready nor terminating.
inline SliceRef slice(std::string_view text) {
  auto record = make_ref<kube::EndpointSliceRecord>();
  std::string_view name = world::take_word(text, ' ');
  record->meta.ns = Text(world::take_word(name, '/'));
  record->service = Text(world::take_word(name, '/'));
  record->meta.name = name.empty() ? Text(std::string(record->service.view()) + "-1") : Text(name);
  world::SliceWords words{*record};
  while (!text.empty()) {
    const auto word = world::take_word(text, ' ');
    if (!word.empty()) words.add(word);
  }
  record->labels = world::label_set(words.labels);
  record->annotations = world::label_set(words.annotations);
  return record;
}

}  // namespace proxima::test
