// SPDX-License-Identifier: Apache-2.0
// Nodes, a Service and the drafts of its slices in a few words, for tests of hints and splits.
//
//   node notation:      "n1 a 4; n2 b 4 !ready; n3 - 4; n4 c -"   name, zone, CPU ('-': none)
//   service notation:   "Auto", "PreferClose", "balanced overload=50%", "keys=a,b" (the field),
//                       "distribution=VALUE", any annotation as "DOMAIN/NAME=VALUE"
//   endpoint notation:  "n1 n2! n3>a n4>b@n4 n5/z n6/-"
//       the node, '!' not ready, '/Z' another zone than the node's ('-': none), '>Z,Z' zone hints,
//       '@N' a node hint
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/quantity.h"
#include "kube/cache.h"
#include "slices/slice_planner.h"

namespace proxima::test {

inline std::vector<std::string> words_of(std::string_view text, char separator = ' ') {
  std::vector<std::string> words;
  std::string word;
  for (const char c : std::string(text) + separator) {
    if (c != separator) {
      word += c;
    } else {
      if (!word.empty()) words.push_back(word);
      word.clear();
    }
  }
  return words;
}

inline kube::LabelSetRef label_set(const std::map<std::string, std::string>& labels) {
  std::vector<kube::LabelText> all;
  for (const auto& [key, value] : labels) all.push_back({Text(key), Text(value)});
  return kube::LabelSetRef(new kube::LabelSet(std::move(all)));
}

inline kube::ServiceRecord service_record(std::string_view notation) {
  kube::ServiceRecord service;
  service.meta.ns = Text("shop");
  service.meta.name = Text("web");
  service.meta.uid = Text("uid-1");
  service.has_v4 = true;
  std::map<std::string, std::string> annotations;
  for (const std::string& word : words_of(notation)) {
    const auto equals = word.find('=');
    const std::string key = word.substr(0, equals);
    const std::string value = equals == std::string::npos ? "" : word.substr(equals + 1);
    if (key == "Auto")
      annotations[std::string(model::kTopologyModeAnnotation)] = "Auto";
    else if (key.starts_with("Prefer"))
      service.traffic_distribution = Text(key);
    else if (key == "distribution")
      service.traffic_distribution = Text(value);
    else if (key == "keys") {
      for (const std::string& one : words_of(value, ',')) service.topology_keys.emplace_back(one);
    } else if (equals == std::string::npos)
      annotations["proxima.io/policy"] = key;
    else
      annotations[key.find('/') == std::string::npos ? "proxima.io/" + key : key] = value;
  }
  service.annotations = label_set(annotations);
  return service;
}

class PlannerWorld {
 public:
  explicit PlannerWorld(std::string_view nodes, plan::PlanOptions options = {})
      : planner(std::move(options)) {
    set_nodes(nodes);
  }

  // As SlicePlanner::set_nodes.
  bool set_nodes(std::string_view notation) {
    std::vector<Ref<const kube::NodeRecord>> all;
    zone_of_.clear();
    for (const std::string& line : words_of(notation, ';')) {
      const auto words = words_of(line);
      auto node = make_ref<kube::NodeRecord>();
      node->meta.name = Text(words[0]);
      node->ready = true;
      std::map<std::string, std::string> labels;
      if (words[1] != "-") labels[std::string(model::kZoneLabel)] = words[1];
      zone_of_[words[0]] = words[1];
      if (words[2] != "-") node->cpu = *Quantity::parse(words[2]);
      for (std::size_t i = 3; i < words.size(); ++i) {
        if (words[i] == "!ready")
          node->ready = false;
        else
          labels[words[i].substr(0, words[i].find('='))] = words[i].substr(words[i].find('=') + 1);
      }
      node->labels = label_set(labels);
      all.push_back(node);
    }
    nodes_.replace(all);
    return planner.set_nodes(nodes_.snapshot());
  }

  kube::EndpointSliceRecord slice(std::string_view name, std::string_view endpoints) {
    kube::EndpointSliceRecord slice;
    slice.meta.ns = Text("shop");
    slice.meta.name = Text(name);
    slice.meta.version = 7;
    slice.service = Text("web");
    for (const std::string& word : words_of(endpoints)) slice.endpoints.push_back(endpoint(word));
    return slice;
  }

  // One slice a text; names are "slice-0", "slice-1" … in this order.
  slices::FamilyDraft draft(const std::vector<std::string>& creates,
                            const std::vector<std::pair<std::string, std::string>>& updates,
                            const std::vector<std::string>& unchanged) {
    slices::FamilyDraft draft;
    int number = 0;
    const auto name = [&] { return "slice-" + std::to_string(number++); };
    for (const auto& one : creates) draft.creates.push_back({slice("", one), {}});
    for (const auto& [before, now] : updates) {
      const std::string own = name();
      draft.updates.push_back(
          {slice(own, now), make_ref<kube::EndpointSliceRecord>(slice(own, before))});
    }
    for (const auto& one : unchanged) {
      draft.unchanged.push_back(make_ref<kube::EndpointSliceRecord>(slice(name(), one)));
    }
    return draft;
  }

  slices::ServiceDecision decide(std::string_view service, std::span<slices::FamilyDraft> drafts,
                                 const kube::NamespaceRecord* ns = nullptr) {
    return planner.decide(service_record(service), ns, pods.snapshot(), clients, drafts, time);
  }

  // "create n1>a | update n1>a n2>b | keep …": the endpoints of every slice, in that notation.
  std::string show(const slices::FamilyDraft& draft) const {
    std::string out;
    const auto add = [&](const char* verb, const kube::EndpointSliceRecord& slice) {
      out += (out.empty() ? "" : " | ") + std::string(verb);
      for (const auto& one : slice.endpoints) out += " " + show(one);
    };
    for (const auto& one : draft.creates) add("create", one.value);
    for (const auto& one : draft.updates) add("update", one.value);
    for (const auto& one : draft.unchanged) add("keep", *one);
    return out;
  }

  slices::SlicePlanner planner;
  kube::Cache<kube::PodRecord> pods;
  std::vector<Ref<const kube::PodRecord>> clients;
  std::optional<WallTime> time;  // as SlicePlanner::decide has it

 private:
  kube::EndpointRecord endpoint(const std::string& word) {
    kube::EndpointRecord out;
    const std::string node = word.substr(0, word.find_first_of("!/>@"));
    out.node = Text(node);
    out.ready =
        word.find('!') == std::string::npos ? model::Condition::True : model::Condition::False;
    out.serving = out.ready;
    out.terminating = model::Condition::False;
    const auto part = [&](char mark) -> std::string {
      const auto at = word.find(mark);
      if (at == std::string::npos) return {};
      return word.substr(at + 1, word.find_first_of("!/>@", at + 1) - at - 1);
    };
    const std::string zone = part('/').empty() ? zone_of_[node] : part('/');
    if (!zone.empty() && zone != "-") out.zone = Text(zone);
    for (const std::string& hint : words_of(part('>'), ',')) out.zone_hints.emplace_back(hint);
    for (const std::string& hint : words_of(part('@'), ',')) out.node_hints.emplace_back(hint);
    // The same endpoint of a draft and of what it replaces has the same address.
    out.addresses.emplace_back("address of " + node);
    return out;
  }

  std::string show(const kube::EndpointRecord& endpoint) const {
    std::string out(endpoint.node.view());
    if (endpoint.ready != model::Condition::True) out += "!";
    const auto list = [&](char mark, const std::vector<Text>& hints) {
      for (std::size_t i = 0; i < hints.size(); ++i) {
        out += (i == 0 ? std::string(1, mark) : ",") + std::string(hints[i].view());
      }
    };
    list('>', endpoint.zone_hints);
    list('@', endpoint.node_hints);
    return out;
  }

  kube::Cache<kube::NodeRecord> nodes_;
  std::map<std::string, std::string> zone_of_;
};

}  // namespace proxima::test
