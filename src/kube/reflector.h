// SPDX-License-Identifier: Apache-2.0
// Keeps a cache equal to what a server has of one kind: lists, watches, and does both again for as
// long as it runs, whatever the server and the network do. One thread each.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "kube/api.h"
#include "kube/cache_feed.h"
#include "kube/reflector_plan.h"
#include "net/cancellation.h"

namespace proxima::kube {

struct ReflectorOptions {
  ReflectorPlanOptions plan;
  FeedLimits limits;
  std::string label_selector;
  std::string field_selector;
  OnProblem on_problem;  // objects that cannot be read
  // Requests that came to nothing, with what was tried; for a log. The reflector goes on.
  std::function<void(const Error&)> on_failure;
};

template <class Record>
class Reflector {
 public:
  // Everything given must outlive it. `resource` is the one of Record.
  Reflector(KubeApi& api, Clock& clock, const Resource& resource, Cache<Record>& cache,
            ReflectorOptions options);

  // Until it is cancelled.
  void run(const net::Cancellation& cancellation);

 private:
  using Stream = std::unique_ptr<net::HttpStream>;
  // What a request came to: nothing when all went well.
  using Outcome = std::optional<StepFailure>;

  Duration step(const net::Cancellation& cancellation);
  Duration list(const net::Cancellation& cancellation);
  Duration watch(const net::Cancellation& cancellation);
  Outcome read_page(const ListStep& step, const net::Cancellation& cancellation);
  Outcome read_page_body(net::HttpStream& stream);
  void take_page(const ListMeta& meta);
  Outcome read_watch(const WatchStep& step, const net::Cancellation& cancellation);
  Outcome read_watch_body(net::HttpStream& stream);
  Result<Stream, StepFailure> open(const ApiRequest& request, std::chrono::milliseconds idle,
                                   const net::Cancellation& cancellation);
  ApiRequest request() const;
  StepFailure failed(StepFailure::Kind kind, const std::string& message) const;

  KubeApi& api_;
  Clock& clock_;
  Resource resource_;
  ReflectorOptions options_;
  ReflectorPlan plan_;
  CacheFeed<Record> feed_;
  CacheFreshness& freshness_;
  std::optional<ListMeta> page_;      // the last one that was read
  std::uint32_t nameless_lists_ = 0;  // in a row
};

extern template class Reflector<PodRecord>;
extern template class Reflector<ServiceRecord>;
extern template class Reflector<NodeRecord>;
extern template class Reflector<NamespaceRecord>;
extern template class Reflector<EndpointSliceRecord>;
extern template class Reflector<EndpointsRecord>;
extern template class Reflector<ServiceCidrRecord>;
extern template class Reflector<EventRecord>;

}  // namespace proxima::kube
