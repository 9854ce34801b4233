// SPDX-License-Identifier: Apache-2.0
#include "net/server_connection.h"

#include <algorithm>
#include <boost/asio/error.hpp>
#include <charconv>
#include <utility>

#include "net/http_wire.h"
#include "net/packed_body.h"

namespace proxima::net {

namespace {

constexpr std::size_t kReadBytes = 16U << 10U;
constexpr std::size_t kPipelinedBytes = 64U << 10U;   // read ahead while a reply is under way
constexpr std::size_t kLingeredBytes = 16U << 20U;    // thrown away after a refusal
constexpr std::size_t kKeptOutputBytes = 16U << 10U;  // kept by a stream that waits
constexpr std::size_t kChunkBytes = 64U << 10U;       // of a body in pieces, about
constexpr std::chrono::milliseconds kLingerTime{2'000};
constexpr const char* kRetryAfterSeconds = "1";

int status_of(ParseFailure failure) {
  switch (failure) {
    case ParseFailure::HeaderTooLong:
      return 431;
    case ParseFailure::BodyTooLong:
      return 413;
    case ParseFailure::Unsupported:
      return 501;
    case ParseFailure::Malformed:
    case ParseFailure::CutOff:
      break;
  }
  return 400;
}

// 0 without a length. The parser has checked that it is a number, and the only one.
std::uint64_t declared_length(const HttpHeaders& headers) {
  const std::string_view text = headers.find("Content-Length").value_or("");
  std::uint64_t length = 0;
  std::from_chars(text.data(), text.data() + text.size(), length);
  return length;
}

}  // namespace

ServerConnection::ServerConnection(std::unique_ptr<ByteStream> stream,
                                   boost::asio::steady_timer timer, ConnectionHost& host,
                                   Identity identity)
    : stream_(std::move(stream)),
      timer_(std::move(timer)),
      host_(host),
      identity_(std::move(identity)) {}

void ServerConnection::start(Reception reception) {
  reception_ = reception;
  allow(host_.policy().unauthenticated_idle);
  if (stream_->is_tls()) return shake_hands();
  after_handshake();
}

void ServerConnection::shake_hands() {
  stream_->handshake(ByteStream::Role::Server,
                     [self = shared_from_this()](const auto& code, std::size_t) {
                       if (self->phase_ == Phase::Closed) return;
                       if (code) return self->close();
                       self->after_handshake();
                     });
}

void ServerConnection::after_handshake() {
  if (reception_ == Reception::Overload) return refuse(503, "too many connections");
  phase_ = Phase::Request;
  parser_.emplace(Message::Request,
                  ParserLimits{host_.policy().header_bytes_max, host_.policy().body_bytes_max});
  read_more();
}

// ---- a request

void ServerConnection::begin_request() {
  phase_ = Phase::Request;
  request_ = {};
  const ListenerPolicy& policy = host_.policy();
  parser_.emplace(Message::Request, ParserLimits{policy.header_bytes_max, policy.body_bytes_max});
  request_deadline_ = Clock::time_point::max();
  if (authenticated_) host_.set_standing(*this, Standing::Idle);
  allow(authenticated_ ? policy.authenticated_idle : policy.unauthenticated_idle);
  parse_input();
}

void ServerConnection::parse_input() {
  while (!parser_->complete()) {
    const bool had_head = parser_->head_complete();
    auto parsed = parser_->put(in_.view());
    if (!parsed) return refuse(parsed.error());
    if (!keep(parsed->body)) return;
    in_.consume(parsed->consumed);
    if (asked_ && parser_->started()) begin_deadline();
    if (!had_head && parser_->head_complete() && !on_head()) return;
    if (!parsed->need_more) continue;
    return peer_finished_ ? close() : read_more();
  }
  dispatch();
}

// The first header has to come within the idle time of strangers, which runs already.
void ServerConnection::begin_deadline() {
  if (request_deadline_ != Clock::time_point::max()) return;
  request_deadline_ = Clock::now() + host_.policy().request_deadline;
  allow_until(request_deadline_);
}

bool ServerConnection::on_head() {
  HttpHead head = parser_->take_head();
  asked_ = true;
  begin_deadline();
  request_.peer = identity_.peer;
  request_.method = std::move(head.method);
  request_.target = std::move(head.target);
  request_.headers = std::move(head.headers);
  minor_version_ = head.minor_version;
  keep_alive_ = head.keep_alive && minor_version_ > 0;
  return obey(host_.handler().admit(request_));
}

bool ServerConnection::obey(Admission admission) {
  switch (admission.verdict) {
    case Admission::Verdict::Refused:
      keep_alive_ = false;
      reply_ = std::move(admission.refusal);
      send_reply();
      return false;
    case Admission::Verdict::Pending:
      phase_ = Phase::Admitting;
      ask_again_ = std::move(admission.ask_again);
      if (!std::exchange(waiting_, true)) host_.wait_for_wake(shared_from_this());
      read_more();
      return false;
    case Admission::Verdict::Authenticated:
      authenticated_ = true;
      holder_ = std::move(admission.holder);
      body_bytes_max_ = host_.policy().body_bytes_max;
      break;
    case Admission::Verdict::Unauthenticated:
      body_bytes_max_ = host_.policy().unauthenticated_body_bytes_max;
      break;
  }
  if (authenticated_) host_.begin_request(*this, holder_);
  return prepare_body();
}

bool ServerConnection::keep(std::string_view piece) {
  if (piece.size() > body_bytes_max_ - request_.body.size()) {
    refuse_body();
    return false;
  }
  if (!host_.bodies().take(piece.size())) {
    refuse_for_now();
    return false;
  }
  body_bytes_taken_ += piece.size();
  request_.body.append(piece);
  return true;
}

void ServerConnection::give_body_back() {
  host_.bodies().give_back(std::exchange(body_bytes_taken_, 0));
}

// What says that it is too long is not waited for.
bool ServerConnection::prepare_body() {
  phase_ = Phase::Request;
  const std::uint64_t length = declared_length(request_.headers);
  if (length > body_bytes_max_) {
    refuse_body();
    return false;
  }
  if (!host_.bodies().has(length)) {
    refuse_for_now();
    return false;
  }
  const auto expected = request_.headers.find("Expect");
  if (!expected || minor_version_ == 0) return true;
  if (!same_header_name(*expected, "100-continue")) {
    refuse(417, "what is expected is not known");
    return false;
  }
  if (parser_->complete() || in_.size() > 0) return true;  // it did not wait
  phase_ = Phase::Continue;
  out_ = "HTTP/1.1 100 Continue\r\n\r\n";
  write_rest();
  return false;
}

void ServerConnection::dispatch() {
  phase_ = Phase::NotReady;
  allow_forever();
  reply_ = host_.handler().handle(request_);
  request_.body = {};
  send_when_ready();
  if (phase_ != Phase::Closed) read_more();
}

void ServerConnection::refuse_body() { refuse(413, "the body is too long"); }

void ServerConnection::refuse(const ParseError& error) {
  refuse(status_of(error.failure), error.message);
}

void ServerConnection::refuse_for_now() { refuse(503, "too many bodies of requests at once"); }

void ServerConnection::refuse(int status, std::string_view why) {
  keep_alive_ = false;
  request_.body = {};
  reply_ = {};
  if (status == 503) reply_.response.headers.add("Retry-After", kRetryAfterSeconds);
  reply_.response.status = status;
  reply_.response.headers.add("Content-Type", "text/plain; charset=utf-8");
  reply_.response.body = std::string(why) + "\n";
  send_reply();
}

// ---- a reply

void ServerConnection::woken() {
  waiting_ = false;
  if (phase_ == Phase::NotReady) return send_when_ready();
  if (phase_ == Phase::Streaming && !writing_) return pump();
  if (phase_ != Phase::Admitting) return;
  const auto ask_again = std::exchange(ask_again_, nullptr);
  if (obey(ask_again())) parse_input();
}

void ServerConnection::send_when_ready() {
  if (reply_.not_before > Clock::now()) {
    if (peer_finished_) return close();
    source_deadline_ = reply_.not_before;
    return arm_timer();
  }
  if (reply_.ready && !reply_.ready()) {
    if (peer_finished_) return close();
    if (!std::exchange(waiting_, true)) host_.wait_for_wake(shared_from_this());
    return;
  }
  reply_.ready = nullptr;
  if (const auto settle = std::exchange(reply_.settle, nullptr)) settle(reply_);
  send_reply();
}

void ServerConnection::send_reply() {
  give_body_back();
  if (authenticated_) host_.set_standing(*this, Standing::Answering);
  keep_alive_ = keep_alive_ && !host_.is_stopping() && reply_.after == AfterReply::KeepOpen;
  if (request_.method == "HEAD" || !status_has_body(reply_.response.status) || !reply_.stream) {
    return send_whole();
  }
  chunked_ = minor_version_ > 0;
  keep_alive_ = keep_alive_ && chunked_;
  source_ended_ = false;
  phase_ = Phase::Streaming;
  append_head(
      out_, reply_.response,
      {.framing = chunked_ ? Framing::Chunked : Framing::UntilClose, .keep_alive = keep_alive_});
  pump();
}

void ServerConnection::send_whole() {
  phase_ = Phase::Whole;
  HttpResponse& response = reply_.response;
  const bool has_body = status_has_body(response.status);
  const std::size_t gzip_from = host_.gzip_bytes_min();
  if (gzip_from > 0 && response.body.size() <= kGzipOnLoopBytesMax &&
      accepts_gzip(request_.headers))
    pack_body(response, gzip_from);
  const std::string& whole = reply_.shared_body ? *reply_.shared_body : response.body;
  ResponseFraming framing{.length = whole.size(), .keep_alive = keep_alive_};
  if (!has_body) framing.framing = Framing::NoBody;
  if (reply_.stream) framing.framing = Framing::Chunked;  // to HEAD
  append_head(out_, response, framing);
  if (has_body && request_.method != "HEAD") {
    if (whole.size() <= kReadBytes) {  // one packet, one TLS record
      out_ += whole;
    } else {
      body_ = std::move(response.body);
      shared_body_ = std::move(reply_.shared_body);
    }
  }
  reply_ = {};
  if (!authenticated_) reply_deadline_ = Clock::now() + host_.policy().unauthenticated_reply;
  write_rest();
}

void ServerConnection::pump() {
  source_deadline_ = Clock::time_point::max();
  const std::size_t begin = chunked_ ? begin_chunk(out_) : 0;
  Pull pull = fill_from_source();
  if (pull == Pull::Cut) return close();
  // What waits for news ends; what only made a pause has something to say still.
  const bool pauses = pull == Pull::Wait && reply_.stream->next_deadline() <= Clock::now();
  if (pull == Pull::Wait && !pauses && host_.is_stopping()) pull = Pull::End;
  if (chunked_) end_chunk(out_, begin);
  if (pull == Pull::End) {
    source_ended_ = true;
    reply_ = {};
    if (chunked_) append_last_chunk(out_);
  }
  if (out_.empty() && source_ended_) return finish_reply();
  if (out_.empty()) return wait_for_source();
  write_rest();
}

Pull ServerConnection::fill_from_source() {
  const std::size_t wanted = kChunkBytes;
  const std::size_t before = out_.size();
  Pull pull = Pull::More;
  while (pull == Pull::More && out_.size() - before < wanted) {
    const std::size_t had = out_.size();
    pull = reply_.stream->pull(out_, wanted - (had - before));
    if (pull == Pull::More && out_.size() == had) return Pull::Wait;  // a promise not kept
  }
  return pull;
}

void ServerConnection::wait_for_source() {
  if (peer_finished_) return close();
  if (out_.capacity() > kKeptOutputBytes) out_ = std::string();
  allow_forever();
  source_deadline_ = reply_.stream->next_deadline();
  arm_timer();
  if (!std::exchange(waiting_, true)) host_.wait_for_wake(shared_from_this());
}

void ServerConnection::finish_reply() {
  reply_ = {};
  reply_deadline_ = Clock::time_point::max();
  keep_alive_ = keep_alive_ && !host_.is_stopping();
  if (!keep_alive_) return linger();
  begin_request();
}

// Closing while the client still sends would make its system throw away the answer unread.
void ServerConnection::linger() {
  if (peer_finished_) return close();
  phase_ = Phase::Lingering;
  in_.consume(in_.size());
  allow(kLingerTime);
  stream_->end_writing(shared_from_this());
  read_more();
}

void ServerConnection::begin_stop(Unasked unasked) {
  switch (phase_) {
    case Phase::Handshake:
      return close();
    case Phase::Request:
      if (!parser_->started() && (asked_ || unasked == Unasked::Close)) close();
      return;
    case Phase::Streaming:
      if (!writing_) pump();
      return;
    default:
      return;
  }
}

void ServerConnection::cut() {
  if (phase_ != Phase::Closed) stream_->cut();
  close();
}

void ServerConnection::close() {
  if (std::exchange(phase_, Phase::Closed) == Phase::Closed) return;
  const auto self = shared_from_this();
  stream_->close();
  timer_.cancel();
  reply_ = {};
  ask_again_ = nullptr;
  give_body_back();
  host_.forget(self);
}

// ---- bytes

void ServerConnection::read_more() {
  if (reading_ || peer_finished_ || phase_ == Phase::Closed) return;
  const std::size_t ahead = authenticated_ ? kPipelinedBytes : kReadBytes;
  if (phase_ != Phase::Request && in_.size() >= ahead) return;
  reading_ = true;
  stream_->read_some(in_.prepare(kReadBytes),
                     [self = shared_from_this()](const auto& code, std::size_t count) {
                       self->on_read(code, count);
                     });
}

void ServerConnection::on_read(const ByteStream::SystemError& code, std::size_t count) {
  reading_ = false;
  if (phase_ == Phase::Closed) return;
  if (code) return on_read_end(code);
  in_.commit(count);
  if (phase_ == Phase::Request) return parse_input();
  if (phase_ == Phase::Lingering) {
    in_.consume(in_.size());
    lingered_bytes_ += count;
    if (lingered_bytes_ > kLingeredBytes) return close();
  }
  read_more();
}

// A client may close its side and still want the answer that is being written. A reply that waits
// has nobody to wait for.
void ServerConnection::on_read_end(const ByteStream::SystemError& code) {
  peer_finished_ = true;
  if (code != boost::asio::error::eof || phase_ != Phase::Whole) close();
}

void ServerConnection::write_rest() {
  writing_ = true;
  allow_until(std::min(Clock::now() + host_.policy().write_stall, reply_deadline_));
  const std::string_view rest = written_ < out_.size() ? std::string_view(out_).substr(written_)
                                                       : body().substr(written_ - out_.size());
  stream_->write_some(rest, [self = shared_from_this()](const auto& code, std::size_t count) {
    self->on_written(code, count);
  });
}

void ServerConnection::on_written(const ByteStream::SystemError& code, std::size_t count) {
  writing_ = false;
  if (phase_ == Phase::Closed) return;
  if (code) return close();
  written_ += count;
  if (written_ < out_.size() + body().size()) return write_rest();
  written_ = 0;
  out_.clear();
  body_ = std::string();
  shared_body_.reset();
  after_write();
}

void ServerConnection::after_write() {
  if (phase_ == Phase::Continue) {
    phase_ = Phase::Request;
    allow_until(request_deadline_);
    return parse_input();
  }
  if (phase_ == Phase::Streaming && !source_ended_) return pump();
  finish_reply();
}

// ---- time

void ServerConnection::allow(std::chrono::milliseconds limit) { allow_until(Clock::now() + limit); }

void ServerConnection::allow_until(Clock::time_point deadline) {
  deadline_ = deadline;
  arm_timer();
}

void ServerConnection::allow_forever() { deadline_ = Clock::time_point::max(); }

// The timer may be set earlier than needed and then finds nothing to do: deadlines move with every
// write, and moving the timer each time would cost more.
void ServerConnection::arm_timer() {
  const auto first = std::min(deadline_, source_deadline_);
  if (timer_set_to_ <= first || phase_ == Phase::Closed) return;
  timer_set_to_ = first;
  timer_.expires_at(first);
  timer_.async_wait([self = shared_from_this()](const auto& code) {
    if (!code) self->on_timer();
  });
}

void ServerConnection::on_timer() {
  if (phase_ == Phase::Closed) return;
  timer_set_to_ = Clock::time_point::max();
  const auto now = Clock::now();
  if (deadline_ <= now) {
    deadline_ = Clock::time_point::max();
    on_timeout();
  } else if (source_deadline_ <= now) {
    source_deadline_ = Clock::time_point::max();
    if (phase_ == Phase::NotReady) {
      send_when_ready();
    } else if (phase_ == Phase::Streaming && !writing_) {
      pump();
    }
  }
  arm_timer();
}

void ServerConnection::on_timeout() {
  if (phase_ == Phase::Request && parser_->started()) return refuse(408, "the request is too slow");
  if (phase_ == Phase::Admitting) return refuse(503, "authentication takes too long");
  close();
}

}  // namespace proxima::net
