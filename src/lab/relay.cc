// SPDX-License-Identifier: Apache-2.0
#include "lab/relay.h"

#include <sys/socket.h>

#include <optional>
#include <utility>

#include "lab/system_error.h"
#include "net/stream_relay.h"

namespace proxima::lab {
namespace {

constexpr const char* kLoopback = "127.0.0.1";

Result<int> make_socket() {
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (made < 0) return system_error("make a socket");
  return made;
}

// A socket stays in the namespace that it was made in.
template <class T, class Make>
Result<T> made_inside(const NetworkNamespace& host, Make make) {
  std::optional<Result<T>> made;
  PROXIMA_TRY([[maybe_unused]] const Unit ran, host.run([&]() -> Status {
    made = make();
    return Unit{};
  }),
              "relay");
  return *std::move(made);
}

}  // namespace

Relay::Relay(std::shared_ptr<net::StreamRelay> relay, std::uint64_t number, std::uint16_t port)
    : relay_(std::move(relay)), number_(number), port_(port) {}

Relay::Relay(Relay&& other) noexcept
    : relay_(std::move(other.relay_)), number_(other.number_), port_(other.port_) {}

Relay& Relay::operator=(Relay&& other) noexcept {
  if (this != &other) {
    close();
    relay_ = std::move(other.relay_);
    number_ = other.number_;
    port_ = other.port_;
  }
  return *this;
}

Relay::~Relay() { close(); }

void Relay::close() {
  if (relay_) std::exchange(relay_, nullptr)->remove(number_);
}

Relays::Relays() : relay_(net::StreamRelay::create()) {}

Result<Relay> Relays::listen_inside(const Host& host, std::uint16_t port, std::uint16_t to_port,
                                    const std::string& address) {
  PROXIMA_TRY(net::ListeningSocket listener,
              made_inside<net::ListeningSocket>(
                  *host, [&] { return net::ListeningSocket::open(address, port); }),
              "relay");
  const std::uint16_t at = listener.port();
  const std::uint64_t number =
      relay_->add(std::move(listener), {.make_socket = make_socket, .port = to_port});
  return Relay(relay_, number, at);
}

Result<Relay> Relays::listen_here(const Host& host, std::uint16_t to_port) {
  PROXIMA_TRY(net::ListeningSocket listener, net::ListeningSocket::open(kLoopback, 0), "relay");
  const std::uint16_t at = listener.port();
  const auto make = [host] { return made_inside<int>(*host, make_socket); };
  const std::uint64_t number =
      relay_->add(std::move(listener), {.make_socket = make, .port = to_port});
  return Relay(relay_, number, at);
}

}  // namespace proxima::lab
