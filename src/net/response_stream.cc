// SPDX-License-Identifier: Apache-2.0
#include "net/response_stream.h"

#include <algorithm>
#include <utility>

namespace proxima::net {

Result<std::string_view> parse_more(HttpParser& parser, ClientConnection& connection,
                                    Deadline deadline) {
  const bool had_head = parser.head_complete();
  while (!parser.complete() && parser.head_complete() == had_head) {
    auto parsed = parser.put(connection.input().view());
    if (!parsed) return Error{ErrorCode::Retry, parsed.error().message};
    connection.input().consume(parsed->consumed);
    if (!parsed->body.empty()) return parsed->body;
    if (!parsed->need_more) continue;
    auto count = connection.read(deadline);
    if (!count) return std::move(count).error();
    if (*count > 0) continue;
    if (auto ended = parser.put_end(); !ended) {
      return Error{ErrorCode::Retry, "closed by the server: " + ended.error().message};
    }
  }
  return std::string_view();
}

ResponseStream::ResponseStream(std::unique_ptr<ClientConnection> connection, HttpParser parser,
                               IdlePool& pool, const BodyLimits& limits)
    : connection_(std::move(connection)),
      parser_(std::move(parser)),
      head_(parser_.take_head()),
      pool_(pool),
      limits_(limits) {}

ResponseStream::~ResponseStream() { give_back(); }

void ResponseStream::unpack() {
  const auto coding = head_.headers.find("Content-Encoding");
  if (!coding || (!same_header_name(*coding, "gzip") && !same_header_name(*coding, "deflate"))) {
    return;
  }
  inflater_ = std::make_unique<Inflater>();
  head_.headers.remove("Content-Encoding");
  head_.headers.remove("Content-Length");
}

Result<std::string_view> ResponseStream::read_raw() {
  // What failed once has no end that could be mistaken for a good one.
  if (failure_) return *failure_;
  if (!connection_) return std::string_view();
  auto piece =
      parse_more(parser_, *connection_, std::min(deadline_after(limits_.idle), limits_.end));
  if (!piece) {
    failure_ = piece.error();
    connection_.reset();
  } else if (piece->empty()) {
    give_back();
  }
  return piece;
}

Result<std::string_view> ResponseStream::read_unpacked() {
  while (true) {
    auto piece = inflater_->feed(packed_);
    if (!piece) return std::move(piece).error();
    packed_.remove_prefix(piece->consumed);
    if (!piece->output.empty()) return piece->output;
    if (piece->consumed > 0) continue;
    auto raw = read_raw();
    if (!raw) return raw;
    if (raw->empty()) return end_of_packed();
    has_packed_ = true;
    packed_ = *raw;
  }
}

Result<std::string_view> ResponseStream::end_of_packed() const {
  if (inflater_->complete() || !has_packed_) return std::string_view();
  return Error{ErrorCode::Retry, "the compressed body is cut off"};
}

void ResponseStream::give_back() {
  if (!connection_) return;
  auto connection = std::move(connection_);
  if (parser_.complete() && head_.keep_alive && connection->input().size() == 0) {
    pool_.put(std::move(connection));
  }
}

}  // namespace proxima::net
