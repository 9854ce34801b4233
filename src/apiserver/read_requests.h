// SPDX-License-Identifier: Apache-2.0
// get, list and watch.
#pragma once

#include "apiserver/api_request.h"
#include "apiserver/store.h"
#include "base/clock.h"
#include "net/http_server.h"

namespace proxima::apiserver {

struct ReadContext {
  const Store& store;
  const Clock& clock;
  std::uint64_t random;  // spreads the ends of watches
};

net::Reply get_object(const ReadContext& context, const ApiRequest& request);
net::Reply list_or_watch(const ReadContext& context, const ApiRequest& request);

}  // namespace proxima::apiserver
