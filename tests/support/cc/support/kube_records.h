// SPDX-License-Identifier: Apache-2.0
// Records for tests, by a line of text each: labels are "app=web,tier=front".
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kube/endpoint_slice_record.h"
#include "kube/node_record.h"
#include "kube/pod_record.h"
#include "kube/service_record.h"

namespace proxima::testing {

// Equal texts are one value, as they are in a cache.
class RecordMaker {
 public:
  kube::LabelSetRef labels(const std::string& text) {
    for (const auto& [known, set] : sets_)
      if (known == text) return set;
    sets_.emplace_back(text, kube::LabelSetRef(new kube::LabelSet(parse(text))));
    return sets_.back().second;
  }

  // "shop/web-1"
  Ref<kube::PodRecord> pod(std::string_view key, const std::string& label_text) {
    auto pod = make_ref<kube::PodRecord>();
    pod->ns = Text(key.substr(0, key.find('/')));
    pod->name = Text(key.substr(key.find('/') + 1));
    pod->uid = Text("uid-of-" + std::string(key));
    pod->labels = labels(label_text);
    pod->workload = Ref<const kube::PodWorkload>(new kube::PodWorkload());
    pod->phase = model::PodPhase::Running;
    pod->ready = true;
    pod->has_ready_condition = true;
    pod->version = ++version_;
    return pod;
  }
  // A selector of "-" is none.
  Ref<kube::ServiceRecord> service(std::string_view key, const std::string& selector) {
    auto service = make_ref<kube::ServiceRecord>();
    service->meta.ns = Text(key.substr(0, key.find('/')));
    service->meta.name = Text(key.substr(key.find('/') + 1));
    service->meta.uid = Text("uid-of-" + std::string(key));
    service->meta.version = ++version_;
    service->labels = labels("");
    service->annotations = labels("");
    if (selector != "-") service->selector = labels(selector);
    return service;
  }
  Ref<kube::NodeRecord> node(std::string_view name, const std::string& label_text) {
    auto node = make_ref<kube::NodeRecord>();
    node->meta.name = Text(name);
    node->meta.version = ++version_;
    node->labels = labels(label_text);
    node->ready = true;
    node->cpu = Quantity::from_milli(4000);
    return node;
  }
  // "shop/web-abc" of the Service "web", or of none when that is empty.
  Ref<kube::EndpointSliceRecord> slice(std::string_view key, const std::string& label_text) {
    auto slice = make_ref<kube::EndpointSliceRecord>();
    slice->meta.ns = Text(key.substr(0, key.find('/')));
    slice->meta.name = Text(key.substr(key.find('/') + 1));
    slice->meta.uid = Text("uid-of-" + std::string(key));
    slice->meta.version = ++version_;
    slice->generation = 1;
    slice->labels = labels(label_text);
    slice->annotations = labels("");
    slice->service = slice->labels->find("kubernetes.io/service-name");
    return slice;
  }

 private:
  // Keys must be ascending.
  static std::vector<kube::LabelText> parse(std::string_view text) {
    std::vector<kube::LabelText> all;
    while (!text.empty()) {
      const std::string_view pair = text.substr(0, text.find(','));
      text.remove_prefix(std::min(text.size(), pair.size() + 1));
      const auto equals = pair.find('=');
      all.push_back({Text(pair.substr(0, equals)), Text(pair.substr(equals + 1))});
    }
    return all;
  }

  std::vector<std::pair<std::string, kube::LabelSetRef>> sets_;
  kube::Version version_ = 0;
};

}  // namespace proxima::testing
