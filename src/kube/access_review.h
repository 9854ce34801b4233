// SPDX-License-Identifier: Apache-2.0
// Asks the API server who the bearer of a token is and whether they may use a path of ours
// (TokenReview and SubjectAccessReview), as kubelets and metrics endpoints of Kubernetes do.
// Answers are remembered for a while. Blocking; safe for concurrent use.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "kube/api.h"
#include "kube/lru_map.h"

namespace proxima::kube {

struct AccessReviewOptions {
  std::string audience;  // that tokens must be made for
  std::chrono::milliseconds request_timeout{10'000};
  std::chrono::seconds remember_allowed{300};
  std::chrono::seconds remember_denied{10};
  std::size_t remember_most = 10'000;  // allowed, and as many denied
};

struct AccessedPath {
  std::string path;  // of ours, as rules of a ClusterRole name it in nonResourceURLs
  std::string verb;  // "post"
};

struct Bearer {
  std::string user;  // "system:serviceaccount:kube-system:proxima-proxy"
  // The node that a bound token belongs to; "" where the server does not say.
  std::string node;
};

class AccessReview {
 public:
  // API and clock must outlive it.
  AccessReview(AccessReviewOptions options, KubeApi& api, const Clock& clock)
      : options_(std::move(options)),
        api_(api),
        clock_(clock),
        allowed_(options_.remember_most),
        denied_(options_.remember_most) {}

  // Denied: not a valid token, or its bearer may not; the message has no secret. Retry: the API
  // server did not answer.
  Result<Bearer> review(const std::string& token, const AccessedPath& accessed,
                        const net::Cancellation& cancellation);
  // What review() would say without asking; nullopt: it would ask.
  std::optional<Result<Bearer>> remembered(const std::string& token, const AccessedPath& accessed);

 private:
  struct Answer {
    Result<Bearer> bearer;
    Clock::SteadyTime until;
  };
  Result<Bearer> ask(const std::string& token, const AccessedPath& accessed,
                     const net::Cancellation& cancellation);
  Result<std::string> post(const Resource& resource, std::string body,
                           const net::Cancellation& cancellation);

  AccessReviewOptions options_;
  KubeApi& api_;
  const Clock& clock_;
  std::mutex mutex_;
  // By verb, path and a digest of the token: tokens may be long, and anybody may show one. Whoever
  // shows many that are not valid makes only others that are not valid forgotten.
  LruMap<Answer> allowed_;
  LruMap<Answer> denied_;
};

}  // namespace proxima::kube
