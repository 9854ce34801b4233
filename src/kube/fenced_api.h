// SPDX-License-Identifier: Apache-2.0
// An API whose writes need a leadership that lasts as long as they do: without one they are refused
// (Denied), and the server is told to give up when it ends. Reads pass. A request that is delayed
// on the wire cannot be called back; the time between the end of a guard and the end of its lease
// (5 s with the usual timings) is there for those.
#pragma once

#include "kube/api.h"
#include "kube/leadership.h"

namespace proxima::kube {

class FencedApi final : public KubeApi {
 public:
  // The API must outlive it.
  FencedApi(KubeApi& api, LeadershipGuard guard) : api_(api), guard_(std::move(guard)) {}

  Result<ApiResponse> send(const ApiRequest& request,
                           const net::Cancellation& cancellation) override;
  Result<std::unique_ptr<net::HttpStream>> open(const ApiRequest& request,
                                                std::chrono::milliseconds idle,
                                                const net::Cancellation& cancellation) override;

 private:
  // The request with the time that is left for it.
  Result<ApiRequest> fenced(const ApiRequest& request) const;

  KubeApi& api_;
  LeadershipGuard guard_;
};

}  // namespace proxima::kube
