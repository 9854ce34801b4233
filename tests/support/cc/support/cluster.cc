// SPDX-License-Identifier: Apache-2.0
#include "support/cluster.h"

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "core/model/snapshot_builder.h"

namespace proxima::test {
namespace {

using model::Condition;

[[noreturn]] void wrong(std::string_view statement, std::string_view why) {
  std::fprintf(stderr, "cluster notation: %.*s: %.*s\n", static_cast<int>(statement.size()),
               statement.data(), static_cast<int>(why.size()), why.data());
  std::abort();
}

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t begin = text.find_first_not_of(separators);
    if (begin == std::string_view::npos) return parts;
    text.remove_prefix(begin);
    const std::size_t size = std::min(text.size(), text.find_first_of(separators));
    parts.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
}

struct Setting {
  std::string_view key;
  std::string_view value;
};

std::optional<Setting> setting_of(std::string_view word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  return Setting{word.substr(0, equals), word.substr(equals + 1)};
}

float number_of(std::string_view text) {
  float value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) wrong(text, "not a number");
  return value;
}

class Notation {
 public:
  model::SnapshotPtr read(std::string_view text) {
    for (std::string_view statement : split(text, ";\n")) {
      words_ = split(statement, " \t");
      if (words_.empty() || words_.front().starts_with('#')) continue;
      statement_ = statement;
      read_statement();
    }
    finish_slice();
    return builder_.build(model::MissingSlices::LeaveEmpty);
  }

 private:
  void read_statement() {
    const std::string_view what = words_.front();
    if (what == "node") return read_node();
    if (what == "namespace") return read_namespace();
    if (what == "service") return read_service();
    if (what == "endpoint") return read_endpoint();
    if (what == "slice") return finish_slice();
    if (what == "pod") return read_pod();
    wrong(statement_, "unknown statement");
  }

  NameId name(std::string_view text) { return builder_.names().intern(text); }

  std::string_view word(std::size_t at) const {
    if (at >= words_.size()) wrong(statement_, "too short");
    return words_[at];
  }

  // "ns/name"
  std::pair<NameId, NameId> qualified(std::string_view text) {
    const std::size_t slash = text.find('/');
    if (slash == std::string_view::npos) wrong(statement_, "expected NS/NAME");
    return {name(text.substr(0, slash)), name(text.substr(slash + 1))};
  }

  model::Label label(Setting setting) { return {name(setting.key), name(setting.value)}; }

  void read_node() {
    model::NodeDraft node;
    node.name = name(word(1));
    node.ready = true;
    if (word(2) != "-") node.labels.push_back(label({model::kZoneLabel, word(2)}));
    if (word(3) != "-") {
      auto cpu = Quantity::parse(word(3));
      if (!cpu) wrong(statement_, cpu.error().message);
      node.cpu = *cpu;
    }
    for (std::size_t i = 4; i < words_.size(); ++i) {
      if (auto setting = setting_of(words_[i])) {
        if (setting->key == "traffic") {
          node.traffic = std::stod(std::string(setting->value));
          continue;
        }
        if (setting->key == "region") setting->key = model::kRegionLabel;
        node.labels.push_back(label(*setting));
      } else if (words_[i] == "!ready") {
        node.ready = false;
      } else if (words_[i] == "control-plane") {
        node.labels.push_back(label({model::kControlPlaneLabel, ""}));
      } else {
        wrong(statement_, words_[i]);
      }
    }
    zone_of_node_[word(1)] = word(2);
    builder_.add(node);
  }

  bool set_routing(model::RoutingTexts& routing, Setting setting) {
    const std::map<std::string_view, NameId*> texts = {
        {"policy", &routing.policy},         {"overload", &routing.overload},
        {"keys", &routing.topology_keys},    {"demand", &routing.demand},
        {"node-first", &routing.node_first}, {"min-local", &routing.min_local_endpoints},
        {"panic", &routing.panic},           {"auto-start", &routing.auto_start},
        {"auto-stop", &routing.auto_stop},   {"failover", &routing.failover},
        {"fallback", &routing.fallback}};
    auto found = texts.find(setting.key);
    if (found == texts.end()) return false;
    *found->second = name(setting.value);
    return true;
  }

  void read_namespace() {
    model::Namespace ns;
    ns.name = name(word(1));
    for (std::size_t i = 2; i < words_.size(); ++i) {
      auto setting = setting_of(words_[i]);
      if (!setting || !set_routing(ns.routing, *setting)) wrong(statement_, words_[i]);
    }
    builder_.add(ns);
  }

  void read_service() {
    finish_slice();
    slice_count_ = 0;
    model::ServiceDraft draft;
    std::tie(draft.ns, draft.service.name) = qualified(word(1));
    service_ns_ = draft.ns;
    service_name_ = draft.service.name;
    draft.service.has_selector = true;
    draft.ports.push_back({.name = name("http"),
                           .protocol = name("TCP"),
                           .port = 80,
                           .node_port = 0,
                           .target_port = 8080,
                           .target_name = {},
                           .app_protocol = {}});
    for (std::size_t i = 2; i < words_.size(); ++i) {
      auto setting = setting_of(words_[i]);
      if (setting ? !set_service(draft, *setting) : !set_service_word(draft.service, words_[i]))
        wrong(statement_, words_[i]);
    }
    builder_.add(draft);
  }

  bool set_service_word(model::Service& service, std::string_view text) {
    if (text == "headless") return service.headless = true;
    if (text == "external-ips") return service.has_external_ips = true;
    if (text == "load-balancer-ip") return service.has_load_balancer_ip = true;
    if (text == "v6") return service.has_v6 = true;
    NameId& target = text == "Auto" || text == "auto" ? service.topology_mode
                     : text.starts_with("Prefer")     ? service.traffic_distribution
                                                      : service.routing.policy;
    target = name(text);
    return true;
  }

  bool set_service(model::ServiceDraft& draft, Setting setting) {
    model::Service& service = draft.service;
    const std::map<std::string_view, NameId*> texts = {
        {"mode", &service.topology_mode},
        {"hints", &service.topology_aware_hints},
        {"distribution", &service.traffic_distribution},
        {"traffic-policy", &service.traffic_policy}};
    if (auto found = texts.find(setting.key); found != texts.end()) {
      *found->second = name(setting.value);
      return true;
    }
    const auto policy =
        setting.value == "Local" ? model::TrafficPolicy::Local : model::TrafficPolicy::Cluster;
    if (setting.key == "internal") return service.internal_policy = policy, true;
    if (setting.key == "external") return service.external_policy = policy, true;
    if (setting.key == "type") return service.type = type_of(setting.value), true;
    if (setting.key != "topology-keys") return set_routing(service.routing, setting);
    for (std::string_view key : split(setting.value, ",")) draft.topology_keys.push_back(name(key));
    return true;
  }

  model::ServiceType type_of(std::string_view text) const {
    if (text == "ClusterIP") return model::ServiceType::ClusterIp;
    if (text == "NodePort") return model::ServiceType::NodePort;
    if (text == "LoadBalancer") return model::ServiceType::LoadBalancer;
    if (text == "ExternalName") return model::ServiceType::ExternalName;
    wrong(statement_, text);
  }

  void read_endpoint() {
    if (!service_name_) wrong(statement_, "no service above it");
    model::EndpointDraft endpoint;
    endpoint.ready = endpoint.serving = Condition::True;
    endpoint.terminating = Condition::False;
    if (word(1) != "-") {
      endpoint.node = name(word(1));
      set_zone(endpoint, zone_of_node_.count(word(1)) ? zone_of_node_[word(1)] : "-");
    }
    int count = 1;
    IpFamily family = IpFamily::V4;
    for (std::size_t i = 2; i < words_.size(); ++i) {
      const std::string_view text = words_[i];
      if (auto setting = setting_of(text)) {
        set_endpoint(endpoint, *setting);
      } else if (text == "v6") {
        family = IpFamily::V6;
      } else if (text.front() == 'x') {
        count = static_cast<int>(number_of(text.substr(1)));
      } else {
        set_conditions(endpoint, text);
      }
    }
    for (; count > 0; --count) add_endpoint(endpoint, family);
  }

  void set_conditions(model::EndpointDraft& endpoint, std::string_view text) {
    if (text == "!ready") {
      endpoint.ready = endpoint.serving = Condition::False;
    } else if (text == "?ready") {
      endpoint.ready = endpoint.serving = endpoint.terminating = Condition::Unset;
    } else if (text == "!serving") {
      endpoint.serving = Condition::False;
    } else if (text == "terminating") {
      endpoint.ready = Condition::False;
      endpoint.terminating = Condition::True;
    } else {
      wrong(statement_, text);
    }
  }

  void set_zone(model::EndpointDraft& endpoint, std::string_view zone) {
    endpoint.zone = zone == "-" ? NameId() : name(zone);
  }

  void set_endpoint(model::EndpointDraft& endpoint, Setting setting) {
    if (setting.key == "zone") return set_zone(endpoint, setting.value);
    if (setting.key == "weight") return void(endpoint.weight = number_of(setting.value));
    if (setting.key == "pod") return void(endpoint.pod = name(setting.value));
    auto* hints = setting.key == "hint"        ? &endpoint.zone_hints
                  : setting.key == "node-hint" ? &endpoint.node_hints
                                               : nullptr;
    if (hints == nullptr) wrong(statement_, setting.key);
    for (std::string_view hint : split(setting.value, ",")) hints->push_back(name(hint));
  }

  void add_endpoint(model::EndpointDraft endpoint, IpFamily family) {
    if (!slice_.endpoints.empty() && slice_.family != family) finish_slice();
    slice_.family = family;
    ++address_count_;
    const std::string number =
        std::to_string(address_count_ / 250) + "." + std::to_string(address_count_ % 250 + 1);
    auto address = IpAddress::parse(
        family == IpFamily::V4 ? "10.1." + number : "fd00::" + std::to_string(address_count_));
    endpoint.address = *address;
    slice_.endpoints.push_back(std::move(endpoint));
  }

  void finish_slice() {
    if (slice_.endpoints.empty()) return;
    slice_.ns = service_ns_;
    slice_.service = service_name_;
    slice_.managed_by_controller = true;
    // Two letters: names keep the order in which slices were written.
    const std::string suffix = {static_cast<char>('a' + slice_count_ / 26),
                                static_cast<char>('a' + slice_count_ % 26)};
    slice_.name = name(std::string(builder_.names()[service_name_]) + "-" + suffix);
    slice_.ports.push_back({name("http"), name("TCP"), 8080, {}});
    ++slice_count_;
    builder_.add(slice_);
    slice_ = {};
  }

  void read_pod() {
    model::PodDraft pod;
    std::tie(pod.ns, pod.pod.name) = qualified(word(1));
    if (word(2) != "-") pod.pod.node_name = name(word(2));
    pod.pod.phase = model::PodPhase::Running;
    pod.pod.ready = true;
    for (std::size_t i = 3; i < words_.size(); ++i) {
      auto setting = setting_of(words_[i]);
      if (words_[i] == "!ready") {
        pod.pod.ready = false;
      } else if (setting && setting->key == "owner") {
        pod.pod.owner = name(setting->value);
      } else if (setting) {
        pod.labels.push_back(label(*setting));
      } else {
        wrong(statement_, words_[i]);
      }
    }
    builder_.add(pod);
  }

  model::SnapshotBuilder builder_;
  std::string_view statement_;
  std::vector<std::string_view> words_;
  std::map<std::string_view, std::string_view> zone_of_node_;
  NameId service_ns_, service_name_;
  model::SliceDraft slice_;
  int slice_count_ = 0;
  int address_count_ = 0;
};

}  // namespace

model::SnapshotPtr cluster(std::string_view notation) { return Notation().read(notation); }

}  // namespace proxima::test
