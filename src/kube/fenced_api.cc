// SPDX-License-Identifier: Apache-2.0
#include "kube/fenced_api.h"

#include <algorithm>

namespace proxima::kube {

using std::chrono::milliseconds;

Result<ApiRequest> FencedApi::fenced(const ApiRequest& request) const {
  if (request.method == "GET" || request.method == "HEAD") return request;
  const auto left = guard_.left();
  const milliseconds whole = left ? std::chrono::floor<milliseconds>(*left) : milliseconds(0);
  if (whole <= milliseconds(0))
    return Error{ErrorCode::Denied, "no longer the leader, so nothing is written"};
  ApiRequest bounded = request;
  const bool unbounded = request.timeout <= milliseconds(0);
  bounded.timeout = unbounded ? whole : std::min(request.timeout, whole);
  return bounded;
}

Result<ApiResponse> FencedApi::send(const ApiRequest& request,
                                    const net::Cancellation& cancellation) {
  PROXIMA_TRY(const ApiRequest bounded, fenced(request), request.method + " " + request.path);
  return api_.send(bounded, cancellation);
}

Result<std::unique_ptr<net::HttpStream>> FencedApi::open(const ApiRequest& request,
                                                         milliseconds idle,
                                                         const net::Cancellation& cancellation) {
  PROXIMA_TRY(const ApiRequest bounded, fenced(request), request.method + " " + request.path);
  return api_.open(bounded, idle, cancellation);
}

}  // namespace proxima::kube
