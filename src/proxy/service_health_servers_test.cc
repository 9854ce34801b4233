// SPDX-License-Identifier: Apache-2.0
#include "proxy/service_health_servers.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "net/descriptor_limit.h"
#include "support/fake_clock.h"
#include "support/raw_socket.h"

namespace proxima::proxy {
namespace {

using support::RawSocket;
using Wanted = std::map<HealthCheckPorts::Name, HealthCheckPort>;

std::string ask(std::uint16_t port) {
  const RawSocket socket = RawSocket::connect(port);
  EXPECT_TRUE(socket.send("GET /any HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"));
  return socket.receive_all();
}

Result<std::unique_ptr<AnswerServer>> occupy() {
  return AnswerServer::start({.address = "0.0.0.0"}, [](auto) { return HealthAnswer{}; });
}

class ServiceHealthServersTest : public ::testing::Test {
 protected:
  static Wanted web(std::uint16_t port, std::uint32_t ready) {
    return {{{Text("shop"), Text("web")}, {port, ready}}};
  }

  testing::FakeClock clock_;
  telemetry::Log log_{{}, clock_, [](std::string_view) {}};
  std::atomic<bool> healthy_ = true;
  std::vector<News> told_;
  AnswerDoors doors_;
  ServiceHealthServers servers_{{.family = IpFamily::V4,
                                 .node_name = "n1",
                                 .proxy_healthy = [this] { return healthy_.load(); },
                                 .tell = [this](News news) { told_.push_back(std::move(news)); }},
                                doors_,
                                log_};
};

TEST_F(ServiceHealthServersTest, TellAPortThatIsTakenAndOpenItWhenItIsFree) {
  auto other = occupy();
  ASSERT_TRUE(other);
  const std::uint16_t port = (*other)->port();
  servers_.sync(web(port, 1), {});
  EXPECT_EQ(servers_.open(), 0U);
  ASSERT_EQ(told_.size(), 1U);
  EXPECT_EQ(told_[0].about.kind + " " + told_[0].about.ns + "/" + told_[0].about.name,
            "Service shop/web");
  EXPECT_EQ(told_[0].reason, "FailedToStartServiceHealthcheck");
  const std::string begin =
      "node n1 failed to start healthcheck \"shop/web\" on port " + std::to_string(port) + ": ";
  EXPECT_EQ(told_[0].message.substr(0, begin.size()), begin);

  other->reset();
  servers_.sync(web(port, 1), {});
  EXPECT_EQ(servers_.open(), 1U);
  const std::string answer = ask(port);
  EXPECT_NE(answer.find("200 OK"), std::string::npos) << answer;
  EXPECT_NE(answer.find("X-Load-Balancing-Endpoint-Weight: 1"), std::string::npos) << answer;
}

TEST_F(ServiceHealthServersTest, AnswerWhatIsTrueNow) {
  auto other = occupy();
  const std::uint16_t port = (*other)->port();
  other->reset();
  servers_.sync(web(port, 2), {});
  EXPECT_NE(ask(port).find("200 OK"), std::string::npos);
  servers_.sync(web(port, 0), {});
  EXPECT_NE(ask(port).find("503 "), std::string::npos) << "no endpoint is left here";
  servers_.sync(web(port, 2), {});
  healthy_ = false;
  EXPECT_NE(ask(port).find("503 "), std::string::npos) << "the proxy does not write";
  servers_.sync({}, {});
  EXPECT_EQ(servers_.open(), 0U);
  EXPECT_TRUE(occupy());
}

std::size_t entries_of(const char* directory) {
  const std::filesystem::directory_iterator entries(directory);
  return static_cast<std::size_t>(std::distance(begin(entries), end(entries)));
}

TEST_F(ServiceHealthServersTest, ManyPortsNeedOneThreadAndADescriptorEach) {
  constexpr std::size_t kServices = 400;
  (void)net::raise_descriptor_limit();
  auto other = occupy();
  const std::uint16_t own = (*other)->port();
  other->reset();
  servers_.sync(web(own, 1), {});  // starts the loop
  const std::size_t threads = entries_of("/proc/self/task");
  const std::size_t descriptors = entries_of("/proc/self/fd");
  // 127.1.0.1 and so on: an address each, so that no port can be taken already.
  std::vector<IpAddress> addresses;
  for (std::size_t i = 0; i < kServices; ++i)
    addresses.push_back(
        *IpAddress::parse("127.1." + std::to_string(i / 250) + "." + std::to_string(1 + i % 250)));
  servers_.sync(web(own, 1), {.restricted = true, .addresses = addresses});
  ASSERT_TRUE(told_.empty()) << told_.front().message;
  EXPECT_LE(entries_of("/proc/self/task"), threads);
  EXPECT_LE(entries_of("/proc/self/fd"), descriptors + kServices);
  const RawSocket socket = RawSocket::connect_to_address(0x7f010101, own);
  EXPECT_TRUE(socket.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n"));
  const std::string answer = socket.receive_all();
  EXPECT_NE(answer.find("200 OK"), std::string::npos) << answer;
  EXPECT_NE(answer.find("Connection: close"), std::string::npos) << answer;
}

TEST_F(ServiceHealthServersTest, ListenOnlyWhereNodePortsAnswer) {
  auto other = occupy();
  const std::uint16_t port = (*other)->port();
  other->reset();
  servers_.sync(web(port, 1), {.restricted = true, .addresses = {*IpAddress::parse("127.0.0.2")}});
  ASSERT_TRUE(told_.empty());
  EXPECT_TRUE(AnswerServer::start({.address = "127.0.0.3", .port = port}, [](auto) {
    return HealthAnswer{};
  })) << "other addresses are free";
}

}  // namespace
}  // namespace proxima::proxy
