// SPDX-License-Identifier: Apache-2.0
// Packs the body of a response by gzip. That takes milliseconds for each megabyte, so long bodies
// are packed where they are made, and not by the loop that sends them.
#pragma once

#include <cstddef>

#include "net/http_server.h"

namespace proxima::net {

// A loop packs nothing longer than this.
inline constexpr std::size_t kGzipOnLoopBytesMax = 256U << 10U;

// For a client that accepts it (accepts_gzip). Nothing happens to a body that is shorter than
// `bytes_min` or encoded already.
void pack_body(HttpResponse& response, std::size_t bytes_min = kGzipBytesMin);

}  // namespace proxima::net
