// SPDX-License-Identifier: Apache-2.0
#include "simulation/cache_watch.h"

#include <algorithm>

namespace proxima::simulation {

void CacheWatch::note(Watched& watched, const std::string& key, kube::Version version,
                      bool is_there) const {
  kube::Version& known = watched.newest[key];
  const bool is_older = is_there ? version <= known : version != 0 && version < known;
  if (is_older && !process_.is_dead())
    violation_(process_.name() + ": the cache of " +
               (watched.whose.empty() ? "" : watched.whose + " ") + watched.kind + " goes back: " +
               key + " from " + std::to_string(known) + " to " + std::to_string(version));
  known = std::max(known, version);
}

std::vector<Held> CacheWatch::held() const {
  std::vector<Held> held;
  for (const Watched& watched : caches_)
    held.push_back({.what = (watched.whose.empty() ? "" : watched.whose + " ") + watched.kind +
                            " in its cache",
                    .count = watched.objects,
                    .kinds = {watched.kind}});
  return held;
}

}  // namespace proxima::simulation
