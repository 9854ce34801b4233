// SPDX-License-Identifier: Apache-2.0
#include "traffic/backend_farm.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <thread>
#include <vector>

#include "base/split_mix.h"
#include "support/patience.h"
#include "support/raw_socket.h"
#include "traffic/backend_answer.h"

namespace proxima::traffic {
namespace {

using std::chrono::milliseconds;
using support::RawSocket;

constexpr std::string_view kRequest = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

class BackendFarmTest : public ::testing::Test {
 protected:
  BackendSpec spec(const std::string& pod) const {
    return {.pod = pod, .node = "node-1", .zone = "zone-a", .port = 0, .address = "127.0.0.1"};
  }
  std::uint16_t start(const BackendSpec& backend) {
    const Status status = farm_->start(backend, run_here);
    EXPECT_TRUE(status) << status.error().message;
    return farm_->port(backend.pod).value();
  }
  static std::string ask(std::uint16_t port) {
    const RawSocket socket = RawSocket::connect(port);
    socket.send(kRequest);
    return socket.receive_all();
  }

  std::unique_ptr<BackendFarm> farm_ = BackendFarm::create().value();
};

TEST(RenderBackendAnswer, IsAsLongAsAskedForAndNeverCut) {
  BackendSpec spec{.pod = "shop/\"quoted\"", .node = "n", .zone = "z", .answer_bytes = 100};
  const std::string json = R"({"pod":"shop/\"quoted\"","node":"n","zone":"z","client":"::1"})";
  EXPECT_EQ(render_backend_answer(spec, "::1"),
            json + "\n" + std::string(100 - json.size() - 1, ' '));
  spec.answer_bytes = 5;
  EXPECT_EQ(render_backend_answer(spec, "::1"), json + "\n");
}

TEST_F(BackendFarmTest, SaysWhoItIs) {
  const std::string answer = ask(start(spec("shop/web-1")));
  for (const char* part :
       {"HTTP/1.1 200 OK\r\n", "X-Proxima-Pod: shop/web-1\r\n", "X-Proxima-Node: node-1\r\n",
        "X-Proxima-Zone: zone-a\r\n", "Content-Length: 2048\r\n", "\"client\":\"127.0.0.1\""}) {
    EXPECT_NE(answer.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(farm_->served("shop/web-1"), 1U);
}

TEST_F(BackendFarmTest, ThinksBeforeItAnswers) {
  BackendSpec slow = spec("slow");
  slow.think_time = milliseconds(100);
  const std::uint16_t port = start(slow);
  const auto began = std::chrono::steady_clock::now();
  EXPECT_NE(ask(port).find("200 OK"), std::string::npos);
  EXPECT_GE(std::chrono::steady_clock::now() - began, milliseconds(100));
}

TEST_F(BackendFarmTest, KnowsItsPods) {
  start(spec("one"));
  const Status again = farm_->start(spec("one"), run_here);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::Conflict);
  const Status locked = farm_->start(spec("two"), [](const auto&) -> Status {
    return Error{ErrorCode::Denied, "no way in"};
  });
  ASSERT_FALSE(locked);
  EXPECT_EQ(locked.error().message, "backend two: no way in");
  EXPECT_FALSE(farm_->port("two"));
  EXPECT_EQ(farm_->served("two"), 0U);
  farm_->stop("two");
  farm_->cut("two");
  farm_->stop("one");
  EXPECT_FALSE(farm_->port("one"));
  start(spec("one"));
}

// Connects, asks and reads, again and again, until somebody refuses. Whoever was connected must get
// an answer.
struct Hammered {
  int answered = 0;
  int forsaken = 0;
};
Hammered hammer(std::uint16_t port) {
  Hammered result;
  while (true) {
    const RawSocket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_in at = support::loopback(port);
    if (::connect(socket.descriptor(), reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0)
      return result;
    socket.send(kRequest);
    const bool answered = socket.receive_all().find("200 OK") != std::string::npos;
    (answered ? result.answered : result.forsaken) += 1;
  }
}

TEST_F(BackendFarmTest, StoppingForsakesNobody) {
  for (int round = 0; round < 3; ++round) {
    BackendSpec backend = spec("busy");
    backend.think_time = milliseconds(round);
    const std::uint16_t port = start(backend);
    std::vector<Hammered> results(4);
    std::vector<std::thread> threads;
    for (Hammered& result : results)
      threads.emplace_back([&result, port] { result = hammer(port); });
    EXPECT_TRUE(proxima::testing::eventually([&] { return farm_->served("busy") > 100; }));
    farm_->stop("busy");
    for (std::thread& thread : threads) thread.join();
    for (const Hammered& result : results) {
      EXPECT_GT(result.answered, 0);
      EXPECT_EQ(result.forsaken, 0);
    }
  }
}

TEST_F(BackendFarmTest, StoppingWaitsForNobodyWhoSaysNothing) {
  const std::uint16_t port = start(spec("quiet"));
  const RawSocket silent = RawSocket::connect(port);
  const RawSocket half = RawSocket::connect(port);
  half.send("GET / HT");
  const auto began = std::chrono::steady_clock::now();
  farm_->stop("quiet");
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(5));
  EXPECT_EQ(silent.receive() + half.receive(), "");
}

struct RudeRow {
  const char* name;
  std::string bytes;
  const char* answer;  // "" : none is owed
};

TEST_F(BackendFarmTest, BadRequestsHurtNobodyElse) {
  const std::uint16_t port = start(spec("robust"));
  const RudeRow rows[] = {
      {"garbage", "\x16\x03\x01\x02\x01\x01", "400"},
      {"not a request", "hello\r\n\r\n", "400"},
      {"an endless line", std::string(40'000, 'a'), "431"},
      {"endless headers", "GET / HTTP/1.1\r\n" + std::string(40'000, 'a') + ": b\r\n\r\n", "431"},
      {"a body that is too long",
       "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n", "413"},
      {"two hosts", "GET / HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", "400"},
      {"half a request", "GET / HTT", ""},
      {"half a body", "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc", ""},
  };
  for (const RudeRow& row : rows) {
    SCOPED_TRACE(row.name);
    const RawSocket socket = RawSocket::connect(port);
    socket.send(row.bytes);
    socket.end_writing();
    const std::string answer = socket.receive_all();
    EXPECT_EQ(answer.substr(0, 12),
              row.answer[0] == 0 ? "" : std::string("HTTP/1.1 ") + row.answer);
    EXPECT_NE(ask(port).find("200 OK"), std::string::npos);
  }
}

TEST_F(BackendFarmTest, AnyBytesLeaveItAlive) {
  const std::uint16_t port = start(spec("robust"));
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SplitMix random(seed);
    std::string bytes(kRequest);
    for (std::uint64_t i = random.below(4); i > 0; --i)
      bytes[random.below(bytes.size())] = static_cast<char>(random.below(256));
    bytes.resize(random.below(bytes.size() + 1));
    const RawSocket socket = RawSocket::connect(port);
    socket.send(bytes);
    socket.end_writing();
    const std::string answer = socket.receive_all();
    EXPECT_TRUE(answer.empty() || answer.starts_with("HTTP/1.1 ")) << "seed " << seed;
  }
  EXPECT_NE(ask(port).find("200 OK"), std::string::npos);
}

TEST_F(BackendFarmTest, SlowReadersHoldNobodyUp) {
  BackendSpec big = spec("big");
  big.answer_bytes = 4U << 20U;
  const std::uint16_t port = start(big);
  std::vector<RawSocket> slow;
  for (int i = 0; i < 20; ++i) {
    slow.push_back(RawSocket::connect(port, 4096));
    slow.back().send(kRequest);
  }
  EXPECT_EQ(ask(port).size() > big.answer_bytes, true);
  EXPECT_GT(slow.front().receive_all().size(), big.answer_bytes);
  farm_->cut("big");
}

}  // namespace
}  // namespace proxima::traffic
