// SPDX-License-Identifier: Apache-2.0
// Listens to all caches of one process: none may ever go back, and how much each holds is counted.
#pragma once

#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kube/cache.h"
#include "simulation/member.h"

namespace proxima::simulation {

class CacheWatch {
 public:
  using Violation = std::function<void(const std::string&)>;
  CacheWatch(const Process& process, Violation violation)
      : process_(process), violation_(std::move(violation)) {}
  CacheWatch(const CacheWatch&) = delete;
  CacheWatch& operator=(const CacheWatch&) = delete;

  // It must outlive the cache. `kind`: plural; `whose`: "mirroring", where a process has several.
  template <class Record>
  void add(kube::Cache<Record>& cache, const char* kind, const char* whose = "") {
    Watched& watched = caches_.emplace_back(Watched{kind, whose});
    cache.subscribe([this, &watched](const kube::Change<Record>& change) {
      const bool is_there = static_cast<bool>(change.now);
      watched.objects += (is_there ? 1 : 0);
      watched.objects -= (change.before ? 1 : 0);
      note(watched, kube::to_text(change.key()), change.version, is_there);
    });
  }

  // How much is in the caches.
  std::vector<Held> held() const;

 private:
  struct Watched {
    std::string kind;
    std::string whose;
    std::size_t objects = 0;  // in the cache
    // Of each object the newest version that was seen, also when that was its deletion.
    std::map<std::string, kube::Version> newest = {};
  };

  // An older version never follows a newer one, and nothing comes back that was deleted since.
  void note(Watched& watched, const std::string& key, kube::Version version, bool is_there) const;

  const Process& process_;
  Violation violation_;
  std::deque<Watched> caches_;  // listeners refer to them
};

}  // namespace proxima::simulation
