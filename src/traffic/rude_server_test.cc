// SPDX-License-Identifier: Apache-2.0
// Clients and servers that do everything wrong: no answer is believed that is not one, every
// request has exactly one end, and nothing hangs.
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/clock.h"
#include "base/split_mix.h"
#include "support/patience.h"
#include "support/raw_socket.h"
#include "traffic/client_fleet.h"

namespace proxima::traffic {
namespace {

using proxima::testing::eventually;
using std::chrono::milliseconds;
using support::RawSocket;

constexpr std::string_view kGood =
    "HTTP/1.1 200 OK\r\nX-Proxima-Pod: p\r\nX-Proxima-Zone: b\r\nContent-Length: 5\r\n\r\nhello";

// Answers every connection with the same bytes, and closes it.
class SayingServer {
 public:
  explicit SayingServer(std::string says) : says_(std::move(says)) {}
  SayingServer(const SayingServer&) = delete;
  SayingServer& operator=(const SayingServer&) = delete;
  virtual ~SayingServer() { end(); }

  void run() {
    thread_ = std::thread([this] {
      while (!ended_) {
        const RawSocket socket = listener_.accept();
        if (socket.descriptor() < 0 || ended_) continue;
        ++accepted_;
        socket.receive_until("\r\n\r\n");
        socket.send(says());
      }
    });
  }
  void end() {
    if (!thread_.joinable()) return;
    ended_ = true;
    (void)RawSocket::connect(listener_.port());  // wakes it
    thread_.join();
  }
  std::uint16_t port() const { return listener_.port(); }
  int accepted() const { return accepted_; }

 protected:
  virtual std::string says() { return says_; }

 private:
  const std::string says_;
  support::RawListener listener_;
  std::atomic<bool> ended_ = false;
  std::atomic<int> accepted_ = 0;
  std::thread thread_;
};

// Something that was a good answer once.
class MumblingServer final : public SayingServer {
 public:
  explicit MumblingServer(std::uint64_t seed) : SayingServer(""), random_(seed) {}
  ~MumblingServer() override { end(); }

 private:
  std::string says() override {
    std::string bytes(kGood);
    for (std::uint64_t i = random_.below(3); i > 0; --i)
      bytes[random_.below(bytes.size())] = static_cast<char>(random_.below(256));
    if (random_.below(3) == 0) bytes.resize(random_.below(bytes.size() + 1));
    return bytes;
  }

  SplitMix random_;
};

struct Ends {
  std::uint64_t answered = 0;
  std::uint64_t failed = 0;
  std::uint64_t retried = 0;
};

class RudeServer : public ::testing::Test {
 protected:
  std::unique_ptr<ClientFleet> clients(std::uint16_t port, double rate) {
    auto fleet = ClientFleet::create(
                     meter_, {.answer_timeout = milliseconds(100), .budget = milliseconds(200)})
                     .value();
    EXPECT_TRUE(fleet->add({"c", "node", "a"}, run_here));
    fleet->set_targets(
        {{.service = "s", .address = IpAddress::parse("127.0.0.1").value(), .port = port}});
    fleet->set_rate(rate);
    return fleet;
  }
  Ends ends() const {
    Ends all;
    for (const Seen& seen : meter_.totals()) {
      all.answered += seen.requests;
      all.failed += seen.failed;
      all.retried += seen.retried;
    }
    return all;
  }

  SystemClock clock_;
  TrafficMeter meter_{clock_};
};

enum class End { Answered, Wrong, TriedInVain };
struct SayingRow {
  const char* name;
  std::string says;
  End end;
};

TEST_F(RudeServer, AnAnswerIsRightWrongOrMissing) {
  const std::string good(kGood);
  const SayingRow rows[] = {
      {"a good answer", good, End::Answered},
      {"a good answer and more", good + "more", End::Answered},
      {"an answer in chunks",
       "HTTP/1.1 200 OK\r\nX-Proxima-Pod: p\r\nTransfer-Encoding: chunked\r\n\r\n"
       "5\r\nhello\r\n0\r\n\r\n",
       End::Answered},
      {"nothing", "", End::TriedInVain},
      {"half a head", good.substr(0, 30), End::TriedInVain},
      {"half a body", good.substr(0, good.size() - 2), End::TriedInVain},
      {"an endless head", "HTTP/1.1 200 OK\r\nX: " + std::string(20'000, 'x'), End::Wrong},
      {"another protocol", "SSH-2.0-OpenSSH_9.2\r\n", End::Wrong},
      {"an error", "HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n", End::Wrong},
      {"nobody's answer", "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", End::Wrong},
      {"a nameless Pod", "HTTP/1.1 200 OK\r\nX-Proxima-Pod: \r\nContent-Length: 0\r\n\r\n",
       End::Wrong},
      {"a length that is none",
       "HTTP/1.1 200 OK\r\nX-Proxima-Pod: p\r\nContent-Length: many\r\n\r\n", End::Wrong},
  };
  for (const SayingRow& row : rows) {
    SCOPED_TRACE(row.name);
    const Ends before = ends();
    SayingServer server(row.says);
    server.run();
    const auto fleet = clients(server.port(), 100);
    EXPECT_TRUE(eventually(
        [&] { return ends().answered + ends().failed >= before.answered + before.failed + 3; }));
    EXPECT_EQ(ends().answered > before.answered, row.end == End::Answered);
    EXPECT_EQ(ends().failed > before.failed, row.end != End::Answered);
    EXPECT_EQ(ends().retried > before.retried, row.end == End::TriedInVain);
  }
}

TEST_F(RudeServer, WhateverItSaysClientsGoOn) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE(seed);
    MumblingServer server(seed);
    server.run();
    const Ends before = ends();
    auto fleet = clients(server.port(), 400);
    EXPECT_TRUE(eventually([&] { return server.accepted() >= 200; }));
    fleet->set_rate(0);
    EXPECT_GT(ends().answered, before.answered);
    EXPECT_GT(ends().failed + ends().retried, before.failed + before.retried);
  }
}

}  // namespace
}  // namespace proxima::traffic
