// SPDX-License-Identifier: Apache-2.0
// Heads of messages as they go over the wire.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "net/http_message.h"

namespace proxima::net {

// "Not Found"; "" for a status without a name.
std::string_view status_name(int status);
// 1xx, 204 and 304 have no body, whatever their headers say.
bool status_has_body(int status);

// "Sun, 06 Nov 1994 08:49:37 GMT"
std::string http_date(std::chrono::system_clock::time_point time);

// How the end of a body is told.
enum class Framing { Length, Chunked, UntilClose, NoBody };

struct ResponseFraming {
  Framing framing = Framing::Length;
  std::size_t length = 0;  // with Framing::Length
  bool keep_alive = true;
};

// Appends the head with the empty line after it. A header of `response` that is the connection's
// business (Content-Length, Transfer-Encoding, Connection, Date) is replaced; line breaks in values
// become spaces, so that no value can start a header of its own.
void append_head(std::string& out, const HttpResponse& response, const ResponseFraming& framing);
struct RequestLine {
  std::string_view method;
  std::string_view target;
  std::string_view host;       // for the Host header
  std::size_t body_bytes = 0;  // sent when there is a body or the method wants one
};
void append_head(std::string& out, const RequestLine& line, const HttpHeaders& headers);

// A chunk is built in place: the room for its size is left in front, then its bytes are appended.
std::size_t begin_chunk(std::string& out);
// `begin` is what begin_chunk() said. A chunk without bytes is taken back, as it would be the last.
void end_chunk(std::string& out, std::size_t begin);
void append_last_chunk(std::string& out);

// Whether an Accept-Encoding header lets a body be sent packed by gzip.
bool accepts_gzip(const HttpHeaders& headers);

}  // namespace proxima::net
