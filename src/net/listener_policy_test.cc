// SPDX-License-Identifier: Apache-2.0
// What a listener grants, seen by those who connect to it.
#include "net/listener_policy.h"

#include <gtest/gtest.h>

#include <atomic>
#include <optional>

#include "net/http_client.h"
#include "support/http_test_server.h"
#include "support/patience.h"
#include "support/pki.h"
#include "support/raw_socket.h"

namespace proxima::net {
namespace {

using std::chrono::milliseconds;
using support::answer;
using support::echo;
using support::HttpTestServer;
using support::RawSocket;
using Verdict = Admission::Verdict;

constexpr std::string_view kAsk = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
constexpr std::string_view kAskWithToken =
    "GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer right\r\n\r\n";
constexpr std::uint32_t kOneAddress = 0x7f000002;      // 127.0.0.2
constexpr std::uint32_t kAnotherAddress = 0x7f000003;  // 127.0.0.3

// A token is right, also right, wrong or not there.
Admission by_token(const HttpRequest& head) {
  const auto token = head.headers.find("Authorization");
  if (!token) return {};
  if (*token == "Bearer right" || *token == "Bearer also-right")
    return {.verdict = Verdict::Authenticated, .holder = std::string(*token)};
  return {.verdict = Verdict::Refused, .refusal = answer("who are you?", 401)};
}

HttpServerOptions with_slots(std::size_t slots, std::size_t slots_per_address) {
  HttpServerOptions options;
  options.policy.slots = slots;
  options.policy.slots_per_address = slots_per_address;
  options.policy.unauthenticated_idle = std::chrono::hours(1);  // nobody leaves for that reason
  return options;
}

std::string status_line(const RawSocket& socket, std::string_view request) {
  socket.send(request);
  const std::string head = socket.receive_until("\r\n\r\n");
  return head.substr(0, head.find("\r\n"));
}

constexpr const char* kStatusOk = "HTTP/1.1 200 OK";

bool is_closed(const RawSocket& socket) {
  char byte = 0;
  const ssize_t count = ::recv(socket.descriptor(), &byte, 1, MSG_DONTWAIT);
  return count == 0 || (count < 0 && errno != EAGAIN);
}

bool was_closed(const RawSocket& socket) {
  return testing::eventually([&] { return is_closed(socket); });
}

TEST(ListenerPolicy, ANewcomerTakesTheSlotOfTheOldestStranger) {
  HttpTestServer server(echo, with_slots(2, 2), by_token);
  const RawSocket known = RawSocket::connect(server.port());
  EXPECT_EQ(status_line(known, kAskWithToken), kStatusOk);
  const RawSocket silent = RawSocket::connect(server.port());
  const RawSocket newcomer = RawSocket::connect(server.port());
  EXPECT_EQ(status_line(newcomer, kAsk), kStatusOk);
  EXPECT_TRUE(was_closed(silent));
  EXPECT_EQ(status_line(known, kAskWithToken), kStatusOk) << "though it is older";
}

TEST(ListenerPolicy, AnAddressBeyondItsShareLosesItsOwn) {
  HttpTestServer server(echo, with_slots(3, 2), by_token);
  const RawSocket elsewhere = RawSocket::connect_from(kAnotherAddress, server.port());
  const RawSocket first = RawSocket::connect_from(kOneAddress, server.port());
  const RawSocket second = RawSocket::connect_from(kOneAddress, server.port());
  const RawSocket third = RawSocket::connect_from(kOneAddress, server.port());
  EXPECT_TRUE(was_closed(first));
  EXPECT_EQ(status_line(elsewhere, kAsk), kStatusOk);
  EXPECT_EQ(status_line(second, kAsk), kStatusOk);
  EXPECT_EQ(status_line(third, kAsk), kStatusOk);
}

TEST(ListenerPolicy, ARequestUnderWayIsNeverClosedForANewcomer) {
  std::atomic<bool> open = false;
  const auto when_open = [&](const HttpRequest& request) {
    Reply reply = echo(request);
    reply.ready = [&] { return open.load(); };
    return reply;
  };
  std::atomic<int> admitted = 0;
  HttpTestServer server(when_open, with_slots(1, 1), [&](const HttpRequest& head) {
    ++admitted;
    return by_token(head);
  });
  const RawSocket busy = RawSocket::connect(server.port());
  busy.send(kAskWithToken);
  ASSERT_TRUE(testing::eventually([&] { return admitted == 1; }));
  EXPECT_EQ(status_line(RawSocket::connect(server.port()), kAskWithToken),
            "HTTP/1.1 503 Service Unavailable");
  open = true;
  server.server().wake();
  EXPECT_NE(busy.receive_until("GET / ").find(kStatusOk), std::string::npos);
}

constexpr std::string_view kWatch =
    "GET /watch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer right\r\n\r\n";
constexpr std::string_view kWatchOfAnother =
    "GET /watch HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer also-right\r\n\r\n";

// A body that begins and then has no news.
class Quiet final : public BodySource {
 public:
  Pull pull(std::string& out, std::size_t /*wanted*/) override {
    if (!std::exchange(begun_, true)) out += "begun";
    return Pull::Wait;
  }

 private:
  bool begun_ = false;
};

Reply watch_or_echo(const HttpRequest& request) {
  Reply reply = echo(request);
  if (request.target == "/watch") reply.stream = std::make_unique<Quiet>();
  return reply;
}

RawSocket watch(std::uint16_t port, std::string_view request) {
  RawSocket socket = RawSocket::connect(port);
  socket.send(request);
  EXPECT_NE(socket.receive_until("begun").find(kStatusOk), std::string::npos);
  return socket;
}

TEST(ListenerPolicy, WhoHoldsTooManySlotsLosesTheOldestAnswer) {
  HttpTestServer server(watch_or_echo, with_slots(8, 8), by_token);
  const RawSocket other = watch(server.port(), kWatchOfAnother);
  std::vector<RawSocket> watches;
  for (int i = 0; i < 8; ++i) watches.push_back(watch(server.port(), kWatch));
  // With six requests under way, three of nine had to leave, before the last of them was answered.
  for (std::size_t i = 0; i < 3; ++i) EXPECT_TRUE(was_closed(watches[i])) << i;
  for (std::size_t i = 3; i < watches.size(); ++i) EXPECT_FALSE(is_closed(watches[i])) << i;
  EXPECT_FALSE(is_closed(other)) << "though it is the oldest";
  EXPECT_EQ(status_line(RawSocket::connect(server.port()), kAsk), kStatusOk);
  const RawSocket another = watch(server.port(), kWatchOfAnother);
  EXPECT_TRUE(was_closed(watches[3])) << "the next of the holder that has more";
  EXPECT_FALSE(is_closed(other));
}

TEST(ListenerPolicy, AnAddressHasRoomBesideItsWatches) {
  HttpTestServer server(watch_or_echo, with_slots(64, 4), by_token);
  std::vector<RawSocket> watches;
  for (int i = 0; i < 4; ++i) watches.push_back(watch(server.port(), kWatch));
  EXPECT_TRUE(was_closed(watches[0]));
  EXPECT_EQ(status_line(RawSocket::connect(server.port()), kAsk), kStatusOk);
}

TEST(ListenerPolicy, StrangersHaveFewerSlotsThanTheKnown) {
  HttpServerOptions options = with_slots(16, 16);
  options.policy.stranger_slots = 2;
  HttpTestServer server(echo, options, by_token);
  std::vector<RawSocket> known;
  for (int i = 0; i < 4; ++i) {
    known.push_back(RawSocket::connect(server.port()));
    EXPECT_EQ(status_line(known.back(), kAskWithToken), kStatusOk);
  }
  const RawSocket first = RawSocket::connect(server.port());
  const RawSocket second = RawSocket::connect(server.port());
  const RawSocket third = RawSocket::connect(server.port());
  EXPECT_TRUE(was_closed(first));
  EXPECT_EQ(status_line(second, kAsk), kStatusOk);
  EXPECT_EQ(status_line(third, kAsk), kStatusOk);
  for (const RawSocket& one : known) EXPECT_EQ(status_line(one, kAskWithToken), kStatusOk);
}

// Closing an idle connection of its own address makes no room among the strangers.
TEST(ListenerPolicy, AnAddressBeyondItsShareIsNoExceptionForStrangers) {
  HttpServerOptions options = with_slots(16, 2);
  options.policy.stranger_slots = 1;
  HttpTestServer server(echo, options, by_token);
  const RawSocket known = RawSocket::connect_from(kOneAddress, server.port());
  EXPECT_EQ(status_line(known, kAskWithToken), kStatusOk);
  const RawSocket other = RawSocket::connect_from(kOneAddress, server.port());
  EXPECT_EQ(status_line(other, kAskWithToken), kStatusOk);
  const RawSocket stranger = RawSocket::connect_from(kAnotherAddress, server.port());
  const RawSocket newcomer = RawSocket::connect_from(kOneAddress, server.port());
  EXPECT_TRUE(was_closed(known)) << "the one of its address that is idle longest";
  EXPECT_TRUE(was_closed(stranger)) << "the oldest stranger";
  EXPECT_EQ(status_line(newcomer, kAsk), kStatusOk);
}

std::string post(std::size_t length) {
  return "POST / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer right\r\nContent-Length: " +
         std::to_string(length) + "\r\n\r\n";
}

constexpr const char* kStatusBusy = "HTTP/1.1 503 Service Unavailable";

TEST(ListenerPolicy, AllBodiesTogetherHaveALimit) {
  HttpServerOptions options = with_slots(16, 16);
  options.policy.body_bytes_max = 1000;
  options.policy.bodies_bytes_max = 2000;
  std::atomic<bool> open = false;
  std::atomic<int> handled = 0;
  const auto when_open = [&](const HttpRequest& request) {
    Reply reply = answer(std::to_string(request.body.size()) + "!");
    reply.ready = [&] { return open.load(); };
    ++handled;
    return reply;
  };
  HttpTestServer server(when_open, options, by_token);
  const RawSocket waiting = RawSocket::connect(server.port());
  waiting.send(post(1000) + std::string(1000, 'x'));
  ASSERT_TRUE(testing::eventually([&] { return handled == 1; }));
  {
    const RawSocket second = RawSocket::connect(server.port());
    second.send(post(1000) + std::string(1000, 'x'));
    ASSERT_TRUE(testing::eventually([&] { return handled == 2; }));
    const RawSocket third = RawSocket::connect(server.port());
    third.send(post(1));  // nothing of its body is read
    const std::string refusal = third.receive_all();
    EXPECT_TRUE(refusal.starts_with(kStatusBusy)) << refusal;
    EXPECT_NE(refusal.find("Retry-After: 1\r\n"), std::string::npos) << refusal;
    EXPECT_EQ(status_line(RawSocket::connect(server.port()),
                          "POST / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer right\r\n"
                          "Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"),
              kStatusBusy)
        << "also when it does not say its length";
  }
  // The second has left, and its body with it.
  EXPECT_TRUE(testing::eventually([&] {
    const RawSocket next = RawSocket::connect(server.port());
    next.send(post(1000) + std::string(1000, 'x'));
    const bool taken = testing::eventually([&] { return handled == 3; }, milliseconds(200));
    return taken;
  }));
  open = true;
  server.server().wake();
  EXPECT_NE(waiting.receive_until("1000!").find(kStatusOk), std::string::npos);
  const RawSocket again = RawSocket::connect(server.port());
  for (int i = 0; i < 10; ++i) {
    again.send(post(1000) + std::string(1000, 'x'));
    EXPECT_NE(again.receive_until("1000!").find(kStatusOk), std::string::npos)
        << "what is answered does not count";
  }
}

// Bodies that are not complete are in memory, too.
TEST(ListenerPolicy, HalfBodiesCountAsMuchAsHasCome) {
  HttpServerOptions options = with_slots(16, 16);
  options.policy.body_bytes_max = 1000;
  options.policy.bodies_bytes_max = 1500;
  HttpTestServer server(echo, options, by_token);
  const RawSocket half = RawSocket::connect(server.port());
  half.send(post(1000) + std::string(900, 'x'));
  EXPECT_TRUE(testing::eventually(
      [&] { return status_line(RawSocket::connect(server.port()), post(700)) == kStatusBusy; }));
  const RawSocket small = RawSocket::connect(server.port());
  small.send(post(600) + std::string(599, 'x') + "!");
  EXPECT_NE(small.receive_until("!").find(kStatusOk), std::string::npos);
  half.send(std::string(99, 'x') + "!");
  EXPECT_NE(half.receive_until("!").find(kStatusOk), std::string::npos);
}

TEST(ListenerPolicy, AHandshakeThatNeverEndsLosesItsSlot) {
  HttpServerOptions options = support::tls_options(support::Pki().server);
  options.policy.slots = 2;
  options.policy.unauthenticated_idle = std::chrono::hours(1);  // not for that reason
  HttpTestServer server(echo, options);
  const RawSocket first = RawSocket::connect(server.port());
  first.send("\x16\x03\x01");
  const RawSocket second = RawSocket::connect(server.port());
  const RawSocket third = RawSocket::connect(server.port());
  EXPECT_TRUE(was_closed(first));
}

struct RefusalRow {
  const char* name;
  std::string request;
  const char* status;
};

// Nothing of the bodies is ever sent: whoever waited for them would wait for long.
TEST(ListenerPolicy, BodiesAreNotReadBeforeAuthentication) {
  HttpServerOptions options = with_slots(8, 8);
  options.policy.body_bytes_max = 3'000'000;
  options.policy.unauthenticated_body_bytes_max = 100;
  std::atomic<int> handled = 0;
  HttpTestServer server(
      [&](const HttpRequest& request) {
        ++handled;
        return echo(request);
      },
      options, by_token);
  const std::string wrong = "POST / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer wrong\r\n";
  const std::string none = "POST / HTTP/1.1\r\nHost: x\r\n";
  const RefusalRow rows[] = {
      {"a wrong token", wrong + "Content-Length: 3000000\r\n\r\n", "401 Unauthorized"},
      {"a wrong token and chunks", wrong + "Transfer-Encoding: chunked\r\n\r\n",
       "401 Unauthorized"},
      {"a wrong token that waits to continue",
       wrong + "Expect: 100-continue\r\nContent-Length: 3\r\n\r\n", "401 Unauthorized"},
      {"no token, and more than strangers may send", none + "Content-Length: 101\r\n\r\n",
       "413 Request Entity Too Large"},
      {"no token, and a chunk too many",
       none + "Transfer-Encoding: chunked\r\n\r\n65\r\n" + std::string(101, 'x'),
       "413 Request Entity Too Large"},
  };
  for (const RefusalRow& row : rows) {
    const RawSocket socket = RawSocket::connect(server.port());
    socket.send(row.request);
    const std::string all = socket.receive_all();
    EXPECT_TRUE(all.starts_with(std::string("HTTP/1.1 ") + row.status)) << row.name << all;
    EXPECT_NE(all.find("Connection: close\r\n"), std::string::npos) << row.name;
  }
  EXPECT_EQ(handled, 0);
}

TEST(ListenerPolicy, StrangersMaySendALittleAndTheKnownMuch) {
  HttpServerOptions options = with_slots(8, 8);
  options.policy.body_bytes_max = 1000;
  options.policy.unauthenticated_body_bytes_max = 3;
  HttpTestServer server(echo, options, by_token);
  const RawSocket stranger = RawSocket::connect(server.port());
  stranger.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc");
  EXPECT_NE(stranger.receive_until("abc").find(kStatusOk), std::string::npos);
  const RawSocket known = RawSocket::connect(server.port());
  known.send(
      "PUT / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer right\r\nContent-Length: 1000\r\n\r\n" +
      std::string(999, 'x') + "!");
  EXPECT_NE(known.receive_until("!").find(kStatusOk), std::string::npos);
}

class PendingAdmission : public ::testing::Test {
 protected:
  Admission ask() {
    ++asked_;
    const Verdict verdict = verdict_;
    if (verdict == Verdict::Pending)
      return {.verdict = Verdict::Pending, .ask_again = [this] { return ask(); }};
    if (verdict == Verdict::Refused) return {.verdict = verdict, .refusal = answer("no", 401)};
    return {.verdict = verdict};
  }
  void decide(Verdict verdict) {
    ASSERT_TRUE(testing::eventually([&] { return asked_ > 0; }));
    server_.server().wake();
    ASSERT_TRUE(testing::eventually([&] { return asked_ > 1; }));
    verdict_ = verdict;
    server_.server().wake();
  }

  std::atomic<int> asked_ = 0;
  std::atomic<Verdict> verdict_ = Verdict::Pending;
  HttpTestServer server_{echo, support::test_server_options(),
                         [this](const HttpRequest&) { return ask(); }};
};

TEST_F(PendingAdmission, TheBodyWaitsUntilItIsDecided) {
  const RawSocket socket = RawSocket::connect(server_.port());
  const std::string body(200'000, 'x');
  std::thread sender(
      [&] { socket.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n" + body); });
  decide(Verdict::Authenticated);
  EXPECT_NE(socket.receive_until(body).find("PUT / " + body), std::string::npos);
  sender.join();
}

TEST_F(PendingAdmission, ARefusalNeedsNoBody) {
  const RawSocket socket = RawSocket::connect(server_.port());
  socket.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 200000\r\n\r\n");
  decide(Verdict::Refused);
  EXPECT_TRUE(socket.receive_all().starts_with("HTTP/1.1 401 "));
}

TEST_F(PendingAdmission, AClientThatLeavesIsForgotten) {
  {
    const RawSocket socket = RawSocket::connect(server_.port());
    socket.send("PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\n");
    ASSERT_TRUE(testing::eventually([&] { return asked_ > 0; }));
  }
  server_.stop(std::chrono::seconds(20));  // would wait for a connection
}

TEST(ListenerPolicy, OneByteAtATimeDoesNotExtendTheDeadline) {
  HttpServerOptions options = with_slots(8, 8);
  options.policy.unauthenticated_idle = milliseconds(200);
  options.policy.request_deadline = milliseconds(200);
  HttpTestServer server(echo, options, by_token);
  for (const std::string start : {"GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ",
                                  "PUT / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
                                  "right\r\nContent-Length: 999999\r\n\r\n"}) {
    const RawSocket socket = RawSocket::connect(server.port());
    socket.send(start);
    std::string answered;
    EXPECT_TRUE(testing::eventually([&] {
      socket.send("x");
      answered = socket.receive(1);
      return !answered.empty();
    }));
    EXPECT_TRUE(answered.starts_with("HTTP/1.1 408 ")) << answered;
  }
}

TEST(ListenerPolicy, AStrangerWhoReadsSlowlyIsCutInTheEnd) {
  constexpr std::size_t kBodyBytes = 64U << 20U;  // more than the buffers of the system
  HttpServerOptions options = with_slots(8, 8);
  options.policy.unauthenticated_reply = milliseconds(300);
  const auto body = std::make_shared<const std::string>(kBodyBytes, 'x');
  HttpTestServer server(
      [&](const HttpRequest&) {
        Reply reply = answer("");
        reply.shared_body = body;
        return reply;
      },
      options, by_token);
  const RawSocket known = RawSocket::connect(server.port(), 4096);
  known.send(kAskWithToken);
  const RawSocket stranger = RawSocket::connect(server.port(), 4096);
  stranger.send(kAsk);
  ASSERT_TRUE(testing::eventually([&] { return body.use_count() == 3; }));
  // Takes a little all the time.
  EXPECT_TRUE(testing::eventually([&] {
    stranger.receive(1);
    return body.use_count() == 2;
  }));
  const std::string head = known.receive_until("\r\n\r\n");
  std::size_t read = head.size() - head.find("\r\n\r\n") - 4;
  while (read < kBodyBytes) {
    const std::string more = known.receive();
    if (more.empty()) break;
    read += more.size();
  }
  EXPECT_EQ(read, kBodyBytes) << "who is known may take their time";
}

TEST(CertificateRenewal, NewConnectionsSeeTheNewCertificate) {
  const support::Pki before;
  const support::Pki after;
  std::atomic<int> stage = 0;
  std::atomic<int> failures = 0;
  HttpServerOptions options = support::tls_options(before.server);
  options.renewal = {
      .fetch = [&]() -> Result<CertificateAndKey> {
        if (stage == 0) return before.server;
        if (stage == 1) return Error{ErrorCode::Retry, "no such file"};
        // Half of it is written so far.
        if (stage == 2)
          return CertificateAndKey{after.server.certificate_pem, before.server.key_pem};
        return after.server;
      },
      .every = milliseconds(1),
      .failed = [&](const Error&) { ++failures; }};
  HttpTestServer server(echo, options);
  const auto is_trusted_by = [&](const support::Pki& pki) {
    const auto client = HttpClient::create(
        {.origin = server.origin(), .tls = {.ca_pem = pki.authority.certificate_pem}});
    return fetch(**client, {}, {}, {}).has_value();
  };
  EXPECT_TRUE(is_trusted_by(before));
  for (const int bad : {1, 2}) {
    const int known = failures;
    stage = bad;
    EXPECT_TRUE(testing::eventually([&] { return failures > known; }));
    EXPECT_TRUE(is_trusted_by(before)) << "the one in use stays";
  }
  stage = 3;
  EXPECT_TRUE(testing::eventually([&] { return is_trusted_by(after); }));
  EXPECT_FALSE(is_trusted_by(before));
}

TEST(ListenerPolicy, AReplyMayEndTheConnection) {
  HttpTestServer server([](const HttpRequest& request) {
    Reply reply = echo(request);
    reply.after = AfterReply::Close;
    return reply;
  });
  const RawSocket socket = RawSocket::connect(server.port());
  socket.send(kAsk);
  EXPECT_NE(socket.receive_all().find("Connection: close\r\n"), std::string::npos);
}

}  // namespace
}  // namespace proxima::net
