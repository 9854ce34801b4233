// SPDX-License-Identifier: Apache-2.0
// POST …/pods/NAME/binding: a scheduler's decision, the only way in which a Pod that exists gets a
// node.
#pragma once

#include "apiserver/write_requests.h"

namespace proxima::apiserver {

net::Reply bind_pod(const WriteContext& context, const ApiRequest& request);

}  // namespace proxima::apiserver
