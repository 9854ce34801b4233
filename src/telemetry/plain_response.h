// SPDX-License-Identifier: Apache-2.0
// A short answer in words, for people and probes.
#pragma once

#include <string>

#include "net/http_message.h"

namespace proxima::telemetry {

net::HttpResponse plain_response(int status, std::string text);

}  // namespace proxima::telemetry
