// SPDX-License-Identifier: Apache-2.0
// A plain TCP socket for tests that speak, or break, a protocol byte by byte. Loopback only; every
// wait ends after ten seconds.
#pragma once

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"

namespace proxima::support {

constexpr int kPatienceMs = 10'000;

inline sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

class RawSocket {
 public:
  RawSocket() = default;
  explicit RawSocket(int descriptor) : descriptor_(descriptor) {}
  RawSocket(RawSocket&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  RawSocket& operator=(RawSocket&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~RawSocket() { close(); }

  static RawSocket connect(std::uint16_t port, int receive_bytes = 0) {
    RawSocket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (receive_bytes > 0) {
      ::setsockopt(socket.descriptor_, SOL_SOCKET, SO_RCVBUF, &receive_bytes, sizeof receive_bytes);
    }
    socket.connect_to(port);
    return socket;
  }
  // To an address of 127.0.0.0/8.
  static RawSocket connect_to_address(std::uint32_t address, std::uint16_t port) {
    RawSocket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    socket.connect_to(port, address);
    return socket;
  }
  // From an address of 127.0.0.0/8.
  static RawSocket connect_from(std::uint32_t source, std::uint16_t port) {
    RawSocket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    // The port is chosen when the peer is known: there are more connections than ports.
    const int on = 1;
    ::setsockopt(socket.descriptor_, IPPROTO_IP, IP_BIND_ADDRESS_NO_PORT, &on, sizeof on);
    sockaddr_in from = loopback(0);
    from.sin_addr.s_addr = htonl(source);
    PROXIMA_CHECK(
        ::bind(socket.descriptor_, reinterpret_cast<const sockaddr*>(&from), sizeof from) == 0);
    socket.connect_to(port);
    return socket;
  }

  int descriptor() const { return descriptor_; }
  // False: the peer is gone.
  bool send(std::string_view bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = ::send(descriptor_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (count <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
  }
  // What has come, at least a byte; "" at the end, after an error, or when nothing comes.
  std::string receive(int patience_ms = kPatienceMs) const {
    pollfd waiting{descriptor_, POLLIN, 0};
    if (::poll(&waiting, 1, patience_ms) <= 0) return {};
    std::string bytes(64U << 10U, '\0');
    const ssize_t count = ::recv(descriptor_, bytes.data(), bytes.size(), 0);
    bytes.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
    return bytes;
  }
  // Until `mark` has come, or the end.
  std::string receive_until(std::string_view mark) const {
    std::string all;
    while (all.find(mark) == std::string::npos) {
      const std::string bytes = receive();
      if (bytes.empty()) break;
      all += bytes;
    }
    return all;
  }
  std::string receive_all() const {
    std::string all;
    for (std::string bytes = receive(); !bytes.empty(); bytes = receive()) all += bytes;
    return all;
  }
  void end_writing() const { ::shutdown(descriptor_, SHUT_WR); }
  void close() {
    if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  }

 private:
  void connect_to(std::uint16_t port, std::uint32_t host = INADDR_LOOPBACK) const {
    sockaddr_in address = loopback(port);
    address.sin_addr.s_addr = htonl(host);
    PROXIMA_CHECK(
        ::connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0);
  }

  int descriptor_ = -1;
};

class RawListener {
 public:
  RawListener() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    sockaddr_in address = loopback(0);
    socklen_t size = sizeof address;
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    PROXIMA_CHECK(::bind(socket_.descriptor(), generic, size) == 0);
    PROXIMA_CHECK(::listen(socket_.descriptor(), 64) == 0);
    PROXIMA_CHECK(::getsockname(socket_.descriptor(), generic, &size) == 0);
    port_ = ntohs(address.sin_port);
  }
  std::uint16_t port() const { return port_; }
  // Without a descriptor when nobody comes.
  RawSocket accept() const {
    pollfd waiting{socket_.descriptor(), POLLIN, 0};
    if (::poll(&waiting, 1, kPatienceMs) <= 0) return {};
    return RawSocket(::accept(socket_.descriptor(), nullptr, nullptr));
  }
  void close() { socket_.close(); }

 private:
  RawSocket socket_;
  std::uint16_t port_ = 0;
};

}  // namespace proxima::support
