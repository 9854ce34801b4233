// SPDX-License-Identifier: Apache-2.0
#include "net/packed_body.h"

#include "net/http_wire.h"
#include "net/inflate.h"

namespace proxima::net {
namespace {

constexpr std::size_t kGzipBytesMax = 1U << 30U;

}  // namespace

void pack_body(HttpResponse& response, std::size_t bytes_min) {
  if (!status_has_body(response.status) || response.headers.find("Content-Encoding")) return;
  if (response.body.size() < bytes_min || response.body.size() > kGzipBytesMax) return;
  response.body = gzip(response.body);
  response.headers.add("Content-Encoding", "gzip");
  response.headers.add("Vary", "Accept-Encoding");
}

}  // namespace proxima::net
