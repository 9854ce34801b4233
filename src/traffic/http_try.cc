// SPDX-License-Identifier: Apache-2.0
#include "traffic/http_try.h"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "net/http_wire.h"
#include "traffic/tcp_socket.h"

namespace proxima::traffic {

namespace {

constexpr std::size_t kReadBytes = 4096;
constexpr net::ParserLimits kLimits{.header_bytes = 16U << 10U, .body_bytes = 16U << 20U};

std::string render_request(const Target& target) {
  const std::string host = target.address.family() == IpFamily::V6
                               ? "[" + target.address.text() + "]"
                               : target.address.text();
  std::string text;
  net::append_head(text, {.method = "GET", .target = "/", .host = host},
                   {{"User-Agent", "proxima-lab"}});
  // The connection's business, and therefore not the headers'.
  text.insert(text.size() - 2, "Connection: close\r\n");
  return text;
}

bool is_not_yet(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

}  // namespace

HttpTry::HttpTry(Descriptor socket, const Target& target)
    : socket_(std::move(socket)),
      request_(render_request(target)),
      parser_(net::Message::Response, kLimits) {}

HttpTry::Progress HttpTry::begin(const Target& target) {
  const int error = start_connect(socket_, target.address, target.port);
  if (error == EINPROGRESS) return Progress::Going;
  return error == 0 ? go_on() : Progress::Broken;
}

HttpTry::Progress HttpTry::go_on() {
  if (phase_ == Phase::Connecting) {
    const Progress progress = write();
    if (progress != Progress::Going || phase_ == Phase::Connecting) return progress;
  }
  return read();
}

// A socket that is still connecting says that it cannot be written to yet; one whose connection
// failed says why. The request is small: a new connection takes it in one piece.
HttpTry::Progress HttpTry::write() {
  const ssize_t sent = send(socket_.number(), request_.data(), request_.size(), MSG_NOSIGNAL);
  if (sent < 0) return is_not_yet(errno) ? Progress::Going : Progress::Broken;
  if (static_cast<std::size_t>(sent) < request_.size()) return Progress::Broken;
  phase_ = Phase::Reading;
  return Progress::Going;
}

HttpTry::Progress HttpTry::read() {
  while (true) {
    const std::span<char> room = in_.prepare(kReadBytes);
    const ssize_t count = recv(socket_.number(), room.data(), room.size(), 0);
    if (count < 0) return is_not_yet(errno) ? Progress::Going : Progress::Broken;
    // Answers have a length, so an end here is early.
    if (count == 0) return Progress::Broken;
    bytes_read_ += static_cast<std::uint64_t>(count);
    in_.commit(static_cast<std::size_t>(count));
    const Progress progress = parse();
    if (progress != Progress::Going) return progress;
  }
}

HttpTry::Progress HttpTry::parse() {
  while (!parser_.complete()) {
    const auto parsed = parser_.put(in_.view());
    if (!parsed) return Progress::Wrong;
    in_.consume(parsed->consumed);
    if (parsed->need_more) return Progress::Going;
  }
  return Progress::Answered;
}

}  // namespace proxima::traffic
