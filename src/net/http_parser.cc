// SPDX-License-Identifier: Apache-2.0
// The only file that knows Beast. What Beast lets through and this file refuses: a header that is
// longer than the limit in all (Beast limits its pieces), a transfer coding other than "chunked"
// (Beast takes such a request for one without a body, which invites request smuggling), endless
// chunk extensions, and HTTP/1.1 requests without exactly one Host.
#include "net/http_parser.h"

#include <algorithm>
#include <boost/beast/http/basic_parser.hpp>
#include <boost/beast/http/error.hpp>
#include <utility>

namespace proxima::net {

namespace {

namespace http = boost::beast::http;
using boost::beast::string_view;
using boost::system::error_code;

std::string to_string(string_view text) { return {text.data(), text.size()}; }

ParseError to_error(const error_code& code) {
  if (code == http::error::header_limit) {
    return {ParseFailure::HeaderTooLong, "the header is too long"};
  }
  if (code == http::error::body_limit) return {ParseFailure::BodyTooLong, "the body is too long"};
  if (code == http::error::partial_message) {
    return {ParseFailure::CutOff, "the message is cut off"};
  }
  return {ParseFailure::Malformed, "not HTTP/1.1: " + code.message()};
}

// What Beast calls, for both directions.
template <bool IsRequest>
class Reader final : public http::basic_parser<IsRequest> {
 public:
  HttpHead head;
  std::string_view piece;
  std::uint64_t chunk_left = 0;
  bool has_coding = false;        // a Transfer-Encoding was seen
  bool has_other_coding = false;  // one that is not exactly "chunked"
  int hosts = 0;

 private:
  void on_request_impl(http::verb /*method*/, string_view method, string_view target, int version,
                       error_code& /*code*/) override {
    head.method = to_string(method);
    head.target = to_string(target);
    head.minor_version = version - 10;
  }
  void on_response_impl(int status, string_view /*reason*/, int version,
                        error_code& /*code*/) override {
    head.status = status;
    head.minor_version = version - 10;
  }
  void on_field_impl(http::field field, string_view name, string_view value,
                     error_code& /*code*/) override {
    if (this->is_header_done()) return;  // trailers: nobody uses them
    if (field == http::field::host) ++hosts;
    if (field == http::field::transfer_encoding) {
      has_other_coding |= has_coding || !boost::beast::iequals(value, "chunked");
      has_coding = true;
    }
    head.headers.add(to_string(name), to_string(value));
  }
  void on_header_impl(error_code& /*code*/) override {}
  void on_body_init_impl(const boost::optional<std::uint64_t>& /*length*/,
                         error_code& /*code*/) override {}
  std::size_t on_body_impl(string_view body, error_code& /*code*/) override {
    piece = {body.data(), body.size()};
    return body.size();
  }
  void on_chunk_header_impl(std::uint64_t size, string_view /*extensions*/,
                            error_code& /*code*/) override {
    chunk_left = size;
  }
  std::size_t on_chunk_body_impl(std::uint64_t left, string_view body, error_code& code) override {
    chunk_left = left - body.size();
    return on_body_impl(body, code);
  }
  void on_finish_impl(error_code& /*code*/) override {}
};

std::uint32_t beast_limit(std::size_t header_bytes) {
  return static_cast<std::uint32_t>(
      std::min<std::size_t>(header_bytes, std::numeric_limits<std::uint32_t>::max()));
}

}  // namespace

struct HttpParser::State {
  virtual ~State() = default;
  virtual Result<Parsed, ParseError> put(std::string_view input) = 0;
  virtual Result<Unit, ParseError> put_end() = 0;
  virtual bool started() const = 0;
  virtual bool head_complete() const = 0;
  virtual bool complete() const = 0;
  virtual HttpHead& head() = 0;

  template <bool IsRequest>
  struct Of;
};

template <bool IsRequest>
struct HttpParser::State::Of final : HttpParser::State {
  Of(Message message, const ParserLimits& parser_limits) : limits(parser_limits) {
    reader.header_limit(beast_limit(limits.header_bytes));
    reader.body_limit(boost::none);
    if (limits.body_bytes != std::numeric_limits<std::uint64_t>::max()) {
      reader.body_limit(limits.body_bytes);
    }
    reader.skip(message == Message::ResponseWithoutBody);
  }

  Result<Parsed, ParseError> put(std::string_view input) override {
    if (input.empty() || is_too_little_for_beast(input.size())) return Parsed{.need_more = true};
    const bool in_head = !reader.is_header_done();
    reader.piece = {};
    error_code code;
    const std::size_t consumed = reader.put({input.data(), input.size()}, code);
    const bool need_more = code == http::error::need_more;
    if (code && !need_more) return to_error(code);
    if (in_head) header_bytes += consumed;
    if (unparsed_too_long(input.size() - consumed, need_more)) {
      return to_error(http::error::header_limit);
    }
    if (in_head && reader.is_header_done()) {
      if (auto refused = check_head(); !refused) return std::move(refused).error();
      reader.head.keep_alive = reader.keep_alive();
    }
    return Parsed{consumed, reader.piece, need_more};
  }

  // Beast 1.81 asserts that there are five bytes when it looks at a last chunk's header for the
  // second time. No message has fewer left where a chunk's header begins.
  bool is_too_little_for_beast(std::size_t size) const {
    constexpr std::size_t kShortestEnd = std::string_view("0\r\n\r\n").size();
    return reader.is_header_done() && reader.chunked() && reader.chunk_left == 0 &&
           size < kShortestEnd;
  }

  // `waiting`: bytes of something unfinished. In the head they count with what was read before.
  bool unparsed_too_long(std::size_t waiting, bool need_more) const {
    if (!reader.is_header_done()) return header_bytes + waiting > limits.header_bytes;
    return header_bytes > limits.header_bytes || (need_more && waiting > limits.header_bytes);
  }

  Result<Unit, ParseError> check_head() const {
    if (reader.has_other_coding || (reader.has_coding && reader.head.minor_version == 0)) {
      return ParseError{ParseFailure::Unsupported, "transfer coding is not supported"};
    }
    const bool host_wanted = IsRequest && reader.head.minor_version == 1;
    if (IsRequest && (reader.hosts > 1 || (host_wanted && reader.hosts == 0))) {
      return ParseError{ParseFailure::Malformed, "not HTTP/1.1: one Host header is needed"};
    }
    return Unit{};
  }

  Result<Unit, ParseError> put_end() override {
    if (complete()) return Unit{};
    if (!started()) return to_error(http::error::partial_message);
    error_code code;
    reader.put_eof(code);
    if (code) return to_error(code);
    return Unit{};
  }

  bool started() const override { return reader.got_some(); }
  bool head_complete() const override { return reader.is_header_done(); }
  bool complete() const override { return reader.is_done(); }
  HttpHead& head() override { return reader.head; }

  Reader<IsRequest> reader;
  ParserLimits limits;
  std::size_t header_bytes = 0;
};

HttpParser::HttpParser(Message message, const ParserLimits& limits) {
  if (message == Message::Request) {
    state_ = std::make_unique<State::Of<true>>(message, limits);
  } else {
    state_ = std::make_unique<State::Of<false>>(message, limits);
  }
}
HttpParser::~HttpParser() = default;
HttpParser::HttpParser(HttpParser&&) noexcept = default;
HttpParser& HttpParser::operator=(HttpParser&&) noexcept = default;

Result<Parsed, ParseError> HttpParser::put(std::string_view input) { return state_->put(input); }
Result<Unit, ParseError> HttpParser::put_end() { return state_->put_end(); }
bool HttpParser::started() const { return state_->started(); }
bool HttpParser::head_complete() const { return state_->head_complete(); }
bool HttpParser::complete() const { return state_->complete(); }
const HttpHead& HttpParser::head() const { return state_->head(); }
HttpHead HttpParser::take_head() { return std::move(state_->head()); }

}  // namespace proxima::net
