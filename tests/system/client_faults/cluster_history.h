// SPDX-License-Identifier: Apache-2.0
// What a server stores: Pods that come, change and go, and every version of that. Not safe for
// concurrent use: the server locks.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/split_mix.h"

namespace proxima::faults {

using Version = std::uint64_t;

struct StoredPod {
  Version version = 0;
  std::uint64_t uid = 0;
  std::string json;
  friend bool operator==(const StoredPod&, const StoredPod&) = default;
};
// By "namespace/name".
using Pods = std::map<std::string, StoredPod>;

struct HistoryEvent {
  Version version = 0;
  std::string type;  // ADDED, MODIFIED, DELETED
  std::string key;
  std::string json;  // the object with this version
};

class ClusterHistory {
 public:
  explicit ClusterHistory(std::uint64_t seed);

  // One object more, less or different.
  void mutate();
  // Time goes on elsewhere: the version grows, nothing here changes.
  void skip_versions();
  // What is older than `version` is forgotten.
  void compact(Version version) { compacted_ = std::max(compacted_, version); }

  Version version() const { return version_; }
  Version compacted() const { return compacted_; }
  const Pods& pods() const { return pods_; }
  Pods pods_at(Version version) const;
  const std::vector<HistoryEvent>& events() const { return events_; }

 private:
  void create(const std::string& key);
  void change(const std::string& key, const char* type);
  void remove(const std::string& key);

  SplitMix random_;
  Version version_ = 100;
  Version compacted_ = 0;
  std::uint64_t next_uid_ = 1;
  Pods pods_;
  std::vector<HistoryEvent> events_;
};

}  // namespace proxima::faults
