// SPDX-License-Identifier: Apache-2.0
// The response that HttpClient::open() gives: its head is read, its body comes piece by piece.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "net/client_connection.h"
#include "net/http_client.h"
#include "net/http_parser.h"
#include "net/idle_pool.h"
#include "net/inflate.h"

namespace proxima::net {

// Reads until there is something new: the head, a piece of the body, or ("") the message's end.
Result<std::string_view> parse_more(HttpParser& parser, ClientConnection& connection,
                                    Deadline deadline);

struct BodyLimits {
  std::chrono::milliseconds idle;  // between two pieces
  Deadline end;                    // of all of them
};

class ResponseStream final : public HttpStream {
 public:
  // Of a parser that has read the head. The connection goes to `pool` when it can be used again.
  ResponseStream(std::unique_ptr<ClientConnection> connection, HttpParser parser, IdlePool& pool,
                 const BodyLimits& limits);
  ~ResponseStream() override;
  ResponseStream(const ResponseStream&) = delete;
  ResponseStream& operator=(const ResponseStream&) = delete;

  // If the body is packed, read() unpacks it: for callers who did not ask for packed bodies.
  void unpack();

  int status() const override { return head_.status; }
  const HttpHeaders& headers() const override { return head_.headers; }
  Result<std::string_view> read() override { return inflater_ ? read_unpacked() : read_raw(); }

 private:
  Result<std::string_view> read_raw();
  Result<std::string_view> read_unpacked();
  Result<std::string_view> end_of_packed() const;
  void give_back();

  std::unique_ptr<ClientConnection> connection_;  // until the end of the body
  std::optional<Error> failure_;
  HttpParser parser_;
  HttpHead head_;
  IdlePool& pool_;
  BodyLimits limits_;
  std::unique_ptr<Inflater> inflater_;
  std::string_view packed_;  // not unpacked yet
  bool has_packed_ = false;
};

}  // namespace proxima::net
