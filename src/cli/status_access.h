// SPDX-License-Identifier: Apache-2.0
// Who may see the status pages that are not for everybody: the API server knows, as it does for
// Kubernetes' own components (TokenReview, then SubjectAccessReview of the path). Blocking; safe
// for concurrent use.
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "cli/kube_connection.h"
#include "kube/access_review.h"
#include "net/cancellation.h"
#include "telemetry/status_server.h"

namespace proxima::cli {

// Of tokens for the pages of node proxies: `kubectl create token NAME --audience proxima-proxy`.
inline constexpr const char* kProxyAudience = "proxima-proxy";

class StatusAccess {
 public:
  struct Options {
    std::string audience;     // that tokens must be made for
    kube::RateLimits limits;  // of what is asked
  };
  // Uses its own connection and rate limit, so that clients with invalid tokens slow down neither
  // the component's other requests nor the API server. The clock must outlive it.
  static Result<std::unique_ptr<StatusAccess>> create(const KubeConnection& connection,
                                                      Options options, Clock& clock);
  ~StatusAccess() { stop(); }
  StatusAccess(const StatusAccess&) = delete;
  StatusAccess& operator=(const StatusAccess&) = delete;

  // See StatusServerOptions::authorize.
  Status authorize(const telemetry::AccessRequest& request);
  // See StatusServerOptions::remembered.
  std::optional<Status> remembered(const telemetry::AccessRequest& request);
  // The connection, for others who ask the same kind of question.
  kube::KubeApi& api() { return *api_; }
  // Ends what waits for the API server.
  void stop() { stopping_.cancel(); }

 private:
  StatusAccess(std::unique_ptr<kube::KubeApi> api, std::string audience, const Clock& clock)
      : api_(std::move(api)), review_({.audience = std::move(audience)}, *api_, clock) {}

  std::unique_ptr<kube::KubeApi> api_;
  kube::AccessReview review_;
  net::Cancellation stopping_;
};

}  // namespace proxima::cli
