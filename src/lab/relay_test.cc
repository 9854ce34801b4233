// SPDX-License-Identifier: Apache-2.0
// Real sockets in real namespaces. Where there are none the tests say so.
#include "lab/relay.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <thread>

#include "lab/lab_network.h"
#include "net/listening_socket.h"
#include "support/lab_probes.h"

namespace proxima::lab {
namespace {

sockaddr_in loopback(std::uint16_t port) {
  sockaddr_in out{};
  out.sin_family = AF_INET;
  out.sin_port = htons(port);
  out.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return out;
}

// A blocking connection whose reads give up after a while.
int connect_to(std::uint16_t port) {
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const timeval patience{20, 0};
  setsockopt(made, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  const sockaddr_in at = loopback(port);
  EXPECT_EQ(connect(made, reinterpret_cast<const sockaddr*>(&at), sizeof at), 0);
  return made;
}

bool is_refused(std::uint16_t port) {
  const int made = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in at = loopback(port);
  const bool refused = connect(made, reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0;
  close(made);
  return refused;
}

std::string read_all(int socket) {
  std::string all;
  std::array<char, 4096> buffer;
  for (ssize_t size = 0; (size = recv(socket, buffer.data(), buffer.size(), 0)) > 0;)
    all.append(buffer.data(), static_cast<std::size_t>(size));
  return all;
}

void write_all(int socket, std::string_view text) {
  while (!text.empty()) {
    const ssize_t size = send(socket, text.data(), text.size(), MSG_NOSIGNAL);
    if (size <= 0) return;
    text.remove_prefix(static_cast<std::size_t>(size));
  }
}

// Says what it was told in capitals, after it was told all.
class Shouter {
 public:
  explicit Shouter(net::ListeningSocket listener) : listener_(std::move(listener)) {
    fcntl(listener_.descriptor(), F_SETFL, 0);  // accept() waits
    thread_ = std::thread([this] { serve(); });
  }
  ~Shouter() {
    shutdown(listener_.descriptor(), SHUT_RDWR);
    thread_.join();
  }
  std::uint16_t port() const { return listener_.port(); }

 private:
  void serve() const {
    for (int peer = 0; (peer = accept(listener_.descriptor(), nullptr, nullptr)) >= 0;) {
      std::string text = read_all(peer);
      std::transform(text.begin(), text.end(), text.begin(),
                     [](char c) { return static_cast<char>(std::toupper(c)); });
      write_all(peer, text);
      close(peer);
    }
  }

  net::ListeningSocket listener_;
  std::thread thread_;
};

std::string shouted(std::uint16_t port, const std::string& text) {
  const int socket = connect_to(port);
  std::thread writer([&] {
    write_all(socket, text);
    shutdown(socket, SHUT_WR);
  });
  std::string heard = read_all(socket);
  writer.join();
  close(socket);
  return heard;
}

std::unique_ptr<Shouter> shouter_in(const LabNetwork& network, const std::string& host) {
  std::unique_ptr<Shouter> made;
  EXPECT_TRUE(network.inside(host)([&]() -> Status {
    made = std::make_unique<Shouter>(net::ListeningSocket::open("127.0.0.1", 0).value());
    return Unit{};
  }));
  return made;
}

Status ask_inside(const LabNetwork& network, const std::string& host,
                  const std::function<void()>& work) {
  return network.inside(host)([&]() -> Status {
    work();
    return Unit{};
  });
}

TEST(Relay, LeadsFromInsideAHostToAPortHere) {
  auto network = LabNetwork::create();
  if (test::refused_here(network)) return;
  ASSERT_TRUE(network->add_node("node-1"));
  const Shouter here(net::ListeningSocket::open("127.0.0.1", 0).value());
  Relays relays;
  // The same number as here: one address serves both.
  const auto relay =
      relays.listen_inside(network->host("node-1").value(), here.port(), here.port());
  ASSERT_TRUE(relay) << relay.error().message;
  EXPECT_EQ(relay->port(), here.port());
  ASSERT_TRUE(
      ask_inside(*network, "node-1", [&] { EXPECT_EQ(shouted(here.port(), "hello"), "HELLO"); }));
}

TEST(Relay, LeadsFromAPortHereIntoAHost) {
  auto network = LabNetwork::create();
  if (test::refused_here(network)) return;
  ASSERT_TRUE(network->add_node("node-1"));
  const auto inside = shouter_in(*network, "node-1");
  Relays relays;
  const auto relay = relays.listen_here(network->host("node-1").value(), inside->port());
  ASSERT_TRUE(relay) << relay.error().message;
  EXPECT_EQ(shouted(relay->port(), "hello"), "HELLO");
  // Larger than all buffers on the way.
  const std::string large(8U << 20U, 'x');
  EXPECT_EQ(shouted(relay->port(), large), std::string(large.size(), 'X'));
}

TEST(Relay, ManyAtATimeOnOneThread) {
  auto network = LabNetwork::create();
  if (test::refused_here(network)) return;
  ASSERT_TRUE(network->add_node("node-1"));
  const auto inside = shouter_in(*network, "node-1");
  Relays relays;
  const auto relay = relays.listen_here(network->host("node-1").value(), inside->port());
  std::vector<std::thread> clients;
  for (int i = 0; i < 16; ++i)
    clients.emplace_back([&] {
      for (int round = 0; round < 20; ++round) EXPECT_EQ(shouted(relay->port(), "hello"), "HELLO");
    });
  for (std::thread& client : clients) client.join();
}

TEST(Relay, WhereNobodyListensTheConnectionEnds) {
  auto network = LabNetwork::create();
  if (test::refused_here(network)) return;
  ASSERT_TRUE(network->add_node("node-1"));
  Relays relays;
  const auto relay = relays.listen_here(network->host("node-1").value(), 9);
  EXPECT_EQ(shouted(relay->port(), "hello"), "");
  EXPECT_EQ(shouted(relay->port(), "hello"), "");
}

TEST(Relay, ItsEndEndsItsConnections) {
  auto network = LabNetwork::create();
  if (test::refused_here(network)) return;
  ASSERT_TRUE(network->add_node("node-1"));
  const auto inside = shouter_in(*network, "node-1");
  Relays relays;
  auto relay = relays.listen_here(network->host("node-1").value(), inside->port());
  auto other = relays.listen_here(network->host("node-1").value(), inside->port());
  const std::uint16_t port = relay->port();
  const int socket = connect_to(port);
  write_all(socket, "half");
  { const Relay ended = std::move(relay).value(); }
  EXPECT_EQ(read_all(socket), "");
  close(socket);
  EXPECT_TRUE(is_refused(port));
  EXPECT_EQ(shouted(other->port(), "hello"), "HELLO");
}

TEST(Relay, APortThatIsTakenIsAnErrorThatNamesIt) {
  auto network = LabNetwork::create();
  if (test::refused_here(network)) return;
  ASSERT_TRUE(network->add_node("node-1"));
  const auto inside = shouter_in(*network, "node-1");
  Relays relays;
  const auto relay = relays.listen_inside(network->host("node-1").value(), inside->port(), 1);
  ASSERT_FALSE(relay);
  EXPECT_NE(relay.error().message.find(std::to_string(inside->port())), std::string::npos)
      << relay.error().message;
}

}  // namespace
}  // namespace proxima::lab
