// SPDX-License-Identifier: Apache-2.0
#include "net/http_doors.h"

#include <gtest/gtest.h>

#include <future>
#include <thread>
#include <vector>

#include "support/http_test_server.h"
#include "support/patience.h"
#include "support/raw_socket.h"

namespace proxima::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using support::RawSocket;

constexpr std::string_view kPlainRequest = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

class Says final : public HttpHandler {
 public:
  explicit Says(std::string name, milliseconds think_time = {})
      : name_(std::move(name)), think_time_(think_time) {}
  Reply handle(const HttpRequest& request) override {
    Reply reply = support::answer(name_ + " to " + request.peer);
    if (think_time_.count() > 0) {
      reply.not_before = std::chrono::steady_clock::now() + think_time_;
    }
    return reply;
  }

 private:
  std::string name_;
  milliseconds think_time_;
};

class HttpDoorsTest : public ::testing::Test {
 protected:
  ~HttpDoorsTest() override {
    doors_->end();
    thread_.join();
  }

  struct Opened {
    HttpDoors::Id id;
    std::uint16_t port;
  };
  Opened open(const std::string& name, milliseconds think_time = {}) {
    auto socket = ListeningSocket::open("127.0.0.1", 0).value();
    const std::uint16_t port = socket.port();
    const auto id = doors_->open(std::move(socket), std::make_unique<Says>(name, think_time));
    EXPECT_TRUE(id);
    return {id.value(), port};
  }
  // Done when the door is gone.
  std::future<void> close(HttpDoors::Id id, milliseconds grace = seconds(5)) {
    const auto done = std::make_shared<std::promise<void>>();
    doors_->close(id, {.drain = milliseconds(20), .grace = grace}, [done] { done->set_value(); });
    return done->get_future();
  }
  static bool is_done(const std::future<void>& future) {
    return future.wait_for(testing::kPatience) == std::future_status::ready;
  }
  static bool refuses(std::uint16_t port) {
    const RawSocket socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const sockaddr_in at = support::loopback(port);
    return ::connect(socket.descriptor(), reinterpret_cast<const sockaddr*>(&at), sizeof at) != 0;
  }

  std::unique_ptr<HttpDoors> doors_ = HttpDoors::create({}).value();
  std::thread thread_{[this] { doors_->run(); }};
};

TEST_F(HttpDoorsTest, EachAnswersForItselfAndSeesItsClient) {
  const Opened one = open("one");
  const Opened two = open("two");
  for (const auto& [door, name] : {std::pair(one, "one"), std::pair(two, "two")}) {
    const RawSocket socket = RawSocket::connect(door.port);
    socket.send(kPlainRequest);
    const std::string wanted = std::string(name) + " to 127.0.0.1";
    EXPECT_NE(socket.receive_until(wanted).find(wanted), std::string::npos);
  }
}

TEST_F(HttpDoorsTest, OneClosesAndTheOtherGoesOn) {
  const Opened one = open("one");
  const Opened two = open("two");
  EXPECT_TRUE(is_done(close(one.id)));
  EXPECT_TRUE(refuses(one.port));
  const RawSocket socket = RawSocket::connect(two.port);
  socket.send(kPlainRequest);
  EXPECT_NE(socket.receive_until("two to").find("200 OK"), std::string::npos);
}

TEST_F(HttpDoorsTest, ClosingAnswersWhoeverIsConnected) {
  const Opened door = open("late");
  std::vector<RawSocket> sockets;
  for (int i = 0; i < 50; ++i) sockets.push_back(RawSocket::connect(door.port));
  const auto gone = close(door.id);
  for (const RawSocket& socket : sockets) EXPECT_TRUE(socket.send(kPlainRequest));
  for (RawSocket& socket : sockets) {
    EXPECT_NE(socket.receive_all().find("late to"), std::string::npos);
    socket.close();
  }
  EXPECT_TRUE(is_done(gone));
}

TEST_F(HttpDoorsTest, ClosingWaitsForAnAnswerThatTakesItsTime) {
  const Opened door = open("slow", milliseconds(300));
  RawSocket socket = RawSocket::connect(door.port);
  socket.send(kPlainRequest);
  const auto gone = close(door.id);
  EXPECT_NE(socket.receive_all().find("slow to"), std::string::npos);
  socket.close();
  EXPECT_TRUE(is_done(gone));
}

TEST_F(HttpDoorsTest, ClosingDoesNotWaitForeverForOneWhoSaysNothing) {
  const Opened door = open("patient");
  const RawSocket silent = RawSocket::connect(door.port);
  EXPECT_TRUE(is_done(close(door.id, milliseconds(100))));
  EXPECT_EQ(silent.receive(), "");
}

TEST_F(HttpDoorsTest, ClosesConnectionsThatAreKeptIdle) {
  const Opened door = open("kept");
  const RawSocket socket = RawSocket::connect(door.port);
  socket.send(kPlainRequest);
  socket.receive_until("kept to 127.0.0.1");
  EXPECT_TRUE(is_done(close(door.id, seconds(60))));
  EXPECT_EQ(socket.receive(), "");
}

TEST_F(HttpDoorsTest, CutAnswersNobody) {
  const Opened door = open("dead", milliseconds(100));
  const RawSocket socket = RawSocket::connect(door.port);
  socket.send(kPlainRequest);
  const auto done = std::make_shared<std::promise<void>>();
  doors_->cut(door.id, [done] { done->set_value(); });
  EXPECT_TRUE(is_done(done->get_future()));
  EXPECT_TRUE(refuses(door.port));
  EXPECT_EQ(socket.receive(500), "");
}

TEST_F(HttpDoorsTest, AGoneDoorIsGoneAtOnce) {
  const Opened door = open("once");
  const auto first = close(door.id);
  const auto second = close(door.id);
  EXPECT_TRUE(is_done(first));
  EXPECT_TRUE(is_done(second));
  EXPECT_TRUE(is_done(close(door.id)));
  EXPECT_TRUE(is_done(close(12345)));
}

TEST_F(HttpDoorsTest, OpensAndClosesManyTimes) {
  for (int round = 0; round < 50; ++round) {
    const Opened door = open("round");
    const RawSocket socket = RawSocket::connect(door.port);
    socket.send(kPlainRequest);
    const auto done = std::make_shared<std::promise<void>>();
    doors_->cut(door.id, [done] { done->set_value(); });
    ASSERT_TRUE(is_done(done->get_future())) << round;
  }
}

}  // namespace
}  // namespace proxima::net
