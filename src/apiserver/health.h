// SPDX-License-Identifier: Apache-2.0
// /healthz, /livez and /readyz, as kube-apiserver answers them.
#pragma once

#include <optional>
#include <string_view>

#include "apiserver/request_options.h"
#include "apiserver/store.h"
#include "net/http_server.h"

namespace proxima::apiserver {

// nullopt: not a path of these.
std::optional<net::Reply> answer_health(std::string_view path, const RequestQuery& query,
                                        const Store& store);

}  // namespace proxima::apiserver
