// SPDX-License-Identifier: Apache-2.0
// HTTP/1.0 and 1.1 messages out of bytes, as they come: no I/O, no copy of the body. A parser reads
// one message; what is refused has no second try.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "net/http_message.h"

namespace proxima::net {

enum class ParseFailure {
  Malformed,
  HeaderTooLong,
  BodyTooLong,
  Unsupported,  // a transfer coding that nobody asked for
  CutOff,       // the input ended in the middle
};

struct ParseError {
  ParseFailure failure;
  std::string message;  // never a header's value
};

struct ParserLimits {
  std::size_t header_bytes = 64U << 10U;  // also for the trailer, and for a chunk's extensions
  std::uint64_t body_bytes = std::numeric_limits<std::uint64_t>::max();
};

// What stands before the body.
struct HttpHead {
  std::string method;  // of a request
  std::string target;
  int status = 0;  // of a response
  HttpHeaders headers;
  int minor_version = 1;    // of HTTP/1
  bool keep_alive = false;  // the connection can be used again after this message
};

enum class Message {
  Request,
  Response,
  ResponseWithoutBody,  // to HEAD, and to a CONNECT that succeeded
};

struct Parsed {
  std::size_t consumed = 0;  // from the front of the input, also when more is needed
  std::string_view body;     // a piece of the body, inside the input
  bool need_more = false;    // nothing else can be had from this input
};

class HttpParser {
 public:
  explicit HttpParser(Message message, const ParserLimits& limits = {});
  ~HttpParser();
  HttpParser(HttpParser&&) noexcept;
  HttpParser& operator=(HttpParser&&) noexcept;

  // One step: the head, a chunk's header or a piece of the body. `input` starts at the first byte
  // that is not consumed yet. Not after complete().
  Result<Parsed, ParseError> put(std::string_view input);
  // The peer will send no more. Without an error the message is complete.
  Result<Unit, ParseError> put_end();

  bool started() const;
  bool head_complete() const;
  bool complete() const;
  // After head_complete().
  const HttpHead& head() const;
  HttpHead take_head();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace proxima::net
