// SPDX-License-Identifier: Apache-2.0
// create, update, patch, delete, and delete of many.
#pragma once

#include "apiserver/api_request.h"
#include "apiserver/object_registry.h"
#include "base/clock.h"
#include "net/http_server.h"

namespace proxima::apiserver {

struct WriteContext {
  ObjectRegistry& registry;
  const Clock& clock;
};

// What a delete asks for, in its body or its query.
Outcome<DeleteOptions> requested_deletion(const ApiRequest& request);

net::Reply create_object(const WriteContext& context, const ApiRequest& request);
net::Reply update_object(const WriteContext& context, const ApiRequest& request);
net::Reply patch_object(const WriteContext& context, const ApiRequest& request);
net::Reply delete_object(const WriteContext& context, const ApiRequest& request);
net::Reply delete_collection(const WriteContext& context, const ApiRequest& request);

}  // namespace proxima::apiserver
