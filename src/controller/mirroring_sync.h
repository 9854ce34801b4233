// SPDX-License-Identifier: Apache-2.0
// Makes the slices that mirror one Endpoints object what they should be. Safe for concurrent use,
// with one key at a time for each thread.
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "base/result.h"
#include "controller/mirror_writer.h"
#include "controller/mirroring_caches.h"
#include "controller/mirroring_metrics.h"
#include "controller/slice_port.h"
#include "controller/slice_tracker.h"
#include "controller/unseen_writes.h"
#include "slices/mirror_endpoints.h"

namespace proxima::controller {

// Everything must outlive it.
struct MirroringSyncPorts {
  const MirroringCaches& caches;
  SliceTracker& tracker;
  MirroringMetrics& metrics;
  const Clock& clock;
  // Addresses were left out. Called when that is news, not at every sync.
  std::function<void(const kube::EndpointsRecord&, const slices::MirrorWarning&)> warn;
};

class MirroringSync {
 public:
  MirroringSync(const MirroringSyncPorts& ports, std::size_t max_endpoints_per_subset)
      : ports_(ports), max_endpoints_per_subset_(max_endpoints_per_subset), unseen_(ports.clock) {}

  // `key` is an Endpoints object's and its Service's, "shop/db". An error: try again later.
  Status sync(const std::string& key, SlicePort& port);
  // Whether the cache does not show yet what was written for the key. Ends after a while, whatever
  // the cache shows.
  bool awaits_cache(const std::string& key) const;

 private:
  bool is_behind(const std::string& key, std::span<const SliceRef> slices, kube::Version listed);
  Status mirror(const std::string& key, const kube::EndpointsRecord& endpoints,
                const std::vector<SliceRef>& slices, SlicePort& port);
  Status stop_mirroring(const std::string& key, const std::vector<SliceRef>& slices,
                        kube::Version listed, SlicePort& port);
  void tell(const std::string& key, const kube::EndpointsRecord& endpoints,
            const slices::MirrorDraft& draft);
  MirrorWriter writer(const std::string& key, SlicePort& port) const;

  MirroringSyncPorts ports_;
  std::size_t max_endpoints_per_subset_;
  UnseenWrites unseen_;
  std::mutex mutex_;
  std::map<std::string, std::string> told_;  // the warnings last told about a key
};

}  // namespace proxima::controller
