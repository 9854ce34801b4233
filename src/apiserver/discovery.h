// SPDX-License-Identifier: Apache-2.0
// What this server serves, as clients ask for it: discovery in both forms, versions, OpenAPI.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "net/http_message.h"

namespace proxima::apiserver {

// Answers /api, /apis, /api/v1, /apis/G, /apis/G/V, /version, /openapi/v2, /openapi/v3 and below;
// nullopt: not a path of discovery. Negotiates by Accept, answers If-None-Match with 304.
// `server_address` is "host:port", for serverAddressByClientCIDRs.
std::optional<net::HttpResponse> answer_discovery(const net::HttpRequest& request,
                                                  std::string_view server_address);

// Makes the documents, which takes longer than a request may; otherwise the first request does.
void prepare_discovery();

}  // namespace proxima::apiserver
