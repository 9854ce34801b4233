// SPDX-License-Identifier: Apache-2.0
#include "system/client_faults/cluster_history.h"

#include <algorithm>

namespace proxima::faults {
namespace {

constexpr std::uint64_t kNames = 12;
constexpr int kFirstPods = 6;

std::string pod_json(const std::string& key, const StoredPod& pod, std::uint64_t draw) {
  const std::size_t slash = key.find('/');
  const std::string ready = draw % 2 == 0 ? "True" : "False";
  // Some weight, with characters that a careless scanner stumbles over.
  const std::string filling(draw % 400, 'x');
  return R"({"metadata":{"name":")" + key.substr(slash + 1) + R"(","namespace":")" +
         key.substr(0, slash) + R"(","uid":"uid-)" + std::to_string(pod.uid) +
         R"(","resourceVersion":")" + std::to_string(pod.version) +
         R"(","labels":{"app":"a}]\"{"},"annotations":{"filling":")" + filling +
         R"("}},"spec":{"nodeName":"node-)" + std::to_string(draw % 5) +
         R"("},"status":{"phase":"Running","podIPs":[{"ip":"10.0.0.)" + std::to_string(draw % 250) +
         R"("}],"conditions":[{"type":"Ready","status":")" + ready + R"("}]}})";
}

}  // namespace

ClusterHistory::ClusterHistory(std::uint64_t seed) : random_(seed) {
  for (int i = 0; i < kFirstPods; ++i) mutate();
}

void ClusterHistory::mutate() {
  const std::uint64_t number = random_.below(kNames);
  const std::string key = (number % 3 == 0 ? "a/pod-" : "b/pod-") + std::to_string(number);
  if (!pods_.contains(key)) return create(key);
  if (random_.below(3) == 0) return remove(key);
  change(key, "MODIFIED");
}

void ClusterHistory::skip_versions() { version_ += random_.below(20); }

void ClusterHistory::create(const std::string& key) {
  pods_[key].uid = next_uid_++;
  change(key, "ADDED");
}

void ClusterHistory::change(const std::string& key, const char* type) {
  StoredPod& pod = pods_[key];
  pod.version = ++version_;
  pod.json = pod_json(key, pod, random_.next());
  events_.push_back({pod.version, type, key, pod.json});
}

void ClusterHistory::remove(const std::string& key) {
  change(key, "DELETED");
  pods_.erase(key);
}

Pods ClusterHistory::pods_at(Version version) const {
  Pods pods;
  for (const HistoryEvent& event : events_) {
    if (event.version > version) break;
    if (event.type == "DELETED") {
      pods.erase(event.key);
    } else {
      pods[event.key] = {event.version, 0, event.json};
    }
  }
  return pods;
}

}  // namespace proxima::faults
