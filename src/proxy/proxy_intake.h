// SPDX-License-Identifier: Apache-2.0
// What the node proxy hears of the cluster: caches of what it watches, and the changes in them that
// it has not looked at yet. Caches are written by their reflectors' threads; one thread waits and
// takes.
#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "base/clock.h"
#include "proxy/pending_changes.h"
#include "proxy/proxy_caches.h"
#include "proxy/proxy_metrics.h"

namespace proxima::proxy {

class ProxyIntake : public ProxyCaches {
 public:
  // The metrics must outlive it.
  explicit ProxyIntake(ProxyMetrics& metrics);
  ProxyIntake(const ProxyIntake&) = delete;
  ProxyIntake& operator=(const ProxyIntake&) = delete;

  // The kinds of which not everything was seen yet, "services, endpointslices", and without which
  // nothing may be written; empty: all are here.
  std::string waiting_for() const;

  struct Taken {
    std::vector<kube::Change<kube::ServiceRecord>> services;
    std::vector<kube::Change<kube::EndpointSliceRecord>> slices;
    // Each as it came, where `slices` has the sum of what happened to one.
    std::vector<kube::Change<kube::EndpointSliceRecord>> slice_events;
    // The newest resourceVersion of an EndpointSlice that this and earlier calls returned; 0: none.
    kube::Version slices_version = 0;
  };
  Taken take();
  // How much take() would give.
  struct Waiting {
    std::size_t services = 0;
    std::size_t slices = 0;
    std::size_t slice_events = 0;
  };
  Waiting waiting() const;
  // Whether take() would give anything.
  bool has_changes() const;

  // Grows with everything that happens, in any of the caches.
  using Moment = std::uint64_t;
  Moment now() const;
  // Until something happens after `seen`, somebody interrupts, or the deadline comes.
  void wait_beyond(Moment seen, Clock& clock, Clock::SteadyTime deadline);
  void interrupt() { happened(); }

 private:
  void happened();

  ProxyMetrics& metrics_;
  mutable std::mutex mutex_;
  ConditionVariable changed_;
  Moment now_ = 0;
  PendingChanges<kube::ServiceRecord> pending_services_;
  PendingChanges<kube::EndpointSliceRecord> pending_slices_;
  std::vector<kube::Change<kube::EndpointSliceRecord>> slice_events_;
  kube::Version slices_version_ = 0;
};

}  // namespace proxima::proxy
