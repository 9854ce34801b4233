// SPDX-License-Identifier: Apache-2.0
#include "net/http_server.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <mutex>

#include "net/inflate.h"
#include "net/packed_body.h"
#include "support/http_test_server.h"
#include "support/patience.h"
#include "support/raw_socket.h"

namespace proxima::net {
namespace {

using std::chrono::milliseconds;
using support::answer;
using support::echo;
using support::HttpTestServer;
using support::RawSocket;

// Without the date, which is never the same.
std::string undated(std::string text) {
  for (std::size_t at = text.find("Date: "); at != std::string::npos; at = text.find("Date: ")) {
    text.erase(at, text.find("\r\n", at) + 2 - at);
  }
  return text;
}

std::string talk(HttpTestServer& server, std::string_view request) {
  const RawSocket socket = RawSocket::connect(server.port());
  EXPECT_TRUE(socket.send(request));
  return undated(socket.receive_all());
}

constexpr std::string_view kClose = "Connection: close\r\n";

struct ExchangeRow {
  const char* name;
  std::string request;
  std::string answer;
};

TEST(HttpServer, AnswersRequests) {
  HttpTestServer server(echo);
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  const ExchangeRow rows[] = {
      {"a request", "GET /a?b=c HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
       ok + "Content-Length: 11\r\nConnection: close\r\n\r\nGET /a?b=c "},
      {"a body with a length",
       "PUT / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc",
       ok + "Content-Length: 9\r\nConnection: close\r\n\r\nPUT / abc"},
      {"a body in chunks",
       "PUT / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
       "1\r\na\r\n2\r\nbc\r\n0\r\n\r\n",
       ok + "Content-Length: 9\r\nConnection: close\r\n\r\nPUT / abc"},
      {"HEAD", "HEAD /abc HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
       ok + "Content-Length: 10\r\nConnection: close\r\n\r\n"},
      {"HTTP/1.0", "GET / HTTP/1.0\r\n\r\n",
       ok + "Content-Length: 6\r\nConnection: close\r\n\r\nGET / "},
      {"two in one packet, in order",
       "GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
       ok + "Content-Length: 7\r\n\r\nGET /1 " + ok +
           "Content-Length: 7\r\nConnection: close\r\n\r\nGET /2 "},
      {"100-continue without waiting for it",
       "PUT / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\n"
       "Content-Length: 3\r\n\r\nabc",
       ok + "Content-Length: 9\r\nConnection: close\r\n\r\nPUT / abc"},
      {"another expectation",
       "PUT / HTTP/1.1\r\nHost: x\r\nExpect: a-miracle\r\nContent-Length: 3\r\n\r\nabc",
       "HTTP/1.1 417 Expectation Failed\r\nContent-Type: text/plain; charset=utf-8\r\n"
       "Content-Length: 30\r\nConnection: close\r\n\r\nwhat is expected is not known\n"},
  };
  for (const ExchangeRow& row : rows) {
    EXPECT_EQ(talk(server, row.request), row.answer) << row.name;
  }
}

TEST(HttpServer, AnswersBothRequestsOfAClientThatClosedItsSide) {
  HttpTestServer server(echo);
  const RawSocket socket = RawSocket::connect(server.port());
  socket.send("GET /1 HTTP/1.1\r\nHost: x\r\n\r\nGET /2 HTTP/1.1\r\nHost: x\r\n\r\n");
  socket.end_writing();
  const std::string all = socket.receive_all();
  EXPECT_NE(all.find("GET /1"), std::string::npos);
  EXPECT_NE(all.find("GET /2"), std::string::npos);
}

TEST(HttpServer, SaysContinueToAClientThatWaits) {
  HttpTestServer server(echo);
  const RawSocket socket = RawSocket::connect(server.port());
  socket.send("PUT / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n");
  EXPECT_EQ(socket.receive_until("\r\n\r\n"), "HTTP/1.1 100 Continue\r\n\r\n");
  socket.send("abc");
  EXPECT_NE(socket.receive_until("PUT / abc").find("200 OK"), std::string::npos);
}

TEST(HttpServer, KeepsTheConnectionForTheNextRequest) {
  HttpTestServer server(echo);
  const RawSocket socket = RawSocket::connect(server.port());
  for (int i = 0; i < 20; ++i) {
    const std::string path = "/" + std::to_string(i) + " ";
    socket.send("GET " + path + "HTTP/1.1\r\nHost: x\r\n\r\n");
    EXPECT_NE(socket.receive_until("GET " + path).find("200 OK"), std::string::npos);
  }
}

TEST(HttpServer, HeaderValuesCannotStartAHeader) {
  HttpTestServer server([](const HttpRequest&) {
    Reply reply = answer("");
    reply.response.headers.add("Warning", "a\r\nEvil: b");
    return reply;
  });
  const std::string all = talk(server, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  EXPECT_NE(all.find("Warning: a  Evil: b\r\n"), std::string::npos) << all;
}

TEST(HttpServer, SendsBodiesThatRepliesShare) {
  for (const std::size_t size : {std::size_t{10}, std::size_t{500'000}}) {
    const auto text = std::make_shared<const std::string>(size, 'x');
    HttpTestServer server([&](const HttpRequest&) {
      Reply reply = answer("");
      reply.shared_body = text;
      return reply;
    });
    const RawSocket socket = RawSocket::connect(server.port());
    for (int i = 0; i < 3; ++i) {
      socket.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      const std::string all = socket.receive_until("\r\n\r\n" + *text);
      EXPECT_NE(all.find("Content-Length: " + std::to_string(size) + "\r\n"), std::string::npos);
      EXPECT_TRUE(all.ends_with("\r\n\r\n" + *text));
    }
    const std::string head =
        talk(server, "HEAD / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    EXPECT_NE(head.find("Content-Length: " + std::to_string(size) + "\r\n"), std::string::npos);
    EXPECT_TRUE(head.ends_with("\r\n\r\n"));
  }
}

TEST(HttpServer, PacksLongBodiesForWhoAcceptsIt) {
  const std::string text(kGzipOnLoopBytesMax, 'x');
  HttpTestServer server([&](const HttpRequest&) { return answer(text); });
  const std::string request = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n";
  EXPECT_TRUE(talk(server, request + "\r\n").ends_with("\r\n\r\n" + text));
  EXPECT_TRUE(talk(server, request + "Accept-Encoding: gzip;q=0, br\r\n\r\n").ends_with(text));
  const std::string packed = talk(server, request + "Accept-Encoding: deflate, gzip\r\n\r\n");
  EXPECT_NE(packed.find("Content-Encoding: gzip\r\n"), std::string::npos);
  EXPECT_LT(packed.size(), 10'000U);
}

// A hundred milliseconds for 32 MiB, in which nobody else would be answered.
TEST(HttpServer, PacksNothingLongOnItsLoop) {
  const std::string text(kGzipOnLoopBytesMax + 1, 'x');
  HttpTestServer server([&](const HttpRequest&) { return answer(text); });
  const std::string request =
      "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAccept-Encoding: gzip\r\n\r\n";
  EXPECT_TRUE(talk(server, request).ends_with("\r\n\r\n" + text));
}

TEST(PackedBody, LeavesWhatItCannotPack) {
  const std::string text(10'000, 'x');
  const auto is_packed = [&](const HttpResponse& response) { return response.body != text; };
  HttpResponse long_enough{.status = 200, .headers = {}, .body = text};
  pack_body(long_enough, 10'000);
  EXPECT_TRUE(is_packed(long_enough));
  EXPECT_EQ(long_enough.headers.find("Content-Encoding"), "gzip");
  EXPECT_EQ(long_enough.headers.find("Vary"), "Accept-Encoding");
  const std::string packed = long_enough.body;
  pack_body(long_enough, 1);
  EXPECT_EQ(long_enough.body, packed) << "once is enough";
  HttpResponse short_one{.status = 200, .headers = {}, .body = text};
  pack_body(short_one, 10'001);
  EXPECT_FALSE(is_packed(short_one));
}

TEST(HttpServer, RefusesWhatIsBeyondItsLimits) {
  HttpServerOptions options;
  options.policy.header_bytes_max = 1000;
  options.policy.body_bytes_max = 1000;
  HttpTestServer server(echo, options);
  const std::string head = "PUT / HTTP/1.1\r\nHost: x\r\n";
  const std::pair<std::string, std::string> rows[] = {
      {head + "X: " + std::string(100'000, 'x') + "\r\n\r\n", "431 "},
      {head + "Content-Length: 1001\r\n\r\n" + std::string(1001, 'x'), "413 "},
      {head + "Transfer-Encoding: chunked\r\n\r\n3e9\r\n" + std::string(500'000, 'x'), "413 "},
      {head + "Transfer-Encoding: gzip\r\n\r\n", "501 "},
      {"GET / HTTP/1.1\r\n\r\n", "400 "},
      {"\x16\x03\x01 is TLS\r\n\r\n", "400 "},
  };
  for (const auto& [request, status] : rows) {
    const std::string all = talk(server, request);
    EXPECT_TRUE(all.starts_with("HTTP/1.1 " + status)) << all;
    EXPECT_NE(all.find(kClose), std::string::npos) << all;
  }
}

TEST(HttpServer, CutsSlowAndIdleClients) {
  HttpServerOptions options;
  options.policy.unauthenticated_idle = milliseconds(50);
  options.policy.authenticated_idle = milliseconds(50);
  options.policy.request_deadline = milliseconds(50);
  HttpTestServer server(echo, options);
  EXPECT_EQ(talk(server, ""), "");
  EXPECT_TRUE(talk(server, "GET / HT").starts_with("HTTP/1.1 408 "));
  EXPECT_TRUE(talk(server, "PUT / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nab")
                  .starts_with("HTTP/1.1 408 "));
  EXPECT_TRUE(talk(server, "GET / HTTP/1.1\r\nHost: x\r\n\r\n").ends_with("\r\n\r\nGET / "));
}

// A line of text for every change, to every stream; ends after `last`.
struct Feed {
  std::mutex mutex;
  int changes = 0;
  int last = 1 << 30;
  std::atomic<int> sources = 0;
};

class FeedSource : public BodySource {
 public:
  explicit FeedSource(Feed& feed) : feed_(feed) { ++feed_.sources; }
  ~FeedSource() override { --feed_.sources; }
  FeedSource(const FeedSource&) = delete;
  FeedSource& operator=(const FeedSource&) = delete;

  Pull pull(std::string& out, std::size_t wanted) override {
    const std::lock_guard lock(feed_.mutex);
    const std::size_t before = out.size();
    while (seen_ < feed_.changes && out.size() - before < wanted) {
      out += std::to_string(seen_++) + "\n";
    }
    if (seen_ == feed_.last) return Pull::End;
    return seen_ < feed_.changes ? Pull::More : Pull::Wait;
  }

 private:
  Feed& feed_;
  int seen_ = 0;
};

Reply feed_reply(Feed& feed) {
  Reply reply = answer("");
  reply.stream = std::make_unique<FeedSource>(feed);
  return reply;
}

void wait_for_sources(Feed& feed, int count) {
  const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (feed.sources != count && std::chrono::steady_clock::now() < limit) {
    std::this_thread::yield();
  }
  EXPECT_EQ(feed.sources, count);
}

TEST(HttpServer, StreamsWhatASourceHasInChunks) {
  Feed feed;
  HttpTestServer server([&](const HttpRequest&) { return feed_reply(feed); });
  const RawSocket socket = RawSocket::connect(server.port());
  socket.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(undated(socket.receive_until("\r\n\r\n")),
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
  for (int i = 0; i < 3; ++i) {
    {
      const std::lock_guard lock(feed.mutex);
      ++feed.changes;
      if (i == 2) feed.last = 3;
    }
    server.server().wake();
    const std::string chunk = "0000000000000002\r\n" + std::to_string(i) + "\n\r\n";
    EXPECT_EQ(socket.receive_until(i == 2 ? "\r\n0\r\n\r\n" : "\n\r\n"),
              chunk + (i == 2 ? "0\r\n\r\n" : ""));
  }
  socket.send("HEAD / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_NE(socket.receive_until("\r\n\r\n").find("chunked"), std::string::npos);
  wait_for_sources(feed, 0);
}

TEST(HttpServer, StreamsToHttp10UntilTheEnd) {
  Feed feed;
  feed.changes = feed.last = 3;
  HttpTestServer server([&](const HttpRequest&) { return feed_reply(feed); });
  EXPECT_EQ(talk(server, "GET / HTTP/1.0\r\n\r\n"),
            "HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n0\n1\n2\n");
}

TEST(HttpServer, NoticesThatTheReaderOfAWaitingStreamLeft) {
  Feed feed;
  HttpTestServer server([&](const HttpRequest&) { return feed_reply(feed); });
  RawSocket socket = RawSocket::connect(server.port());
  socket.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  socket.receive_until("\r\n\r\n");
  wait_for_sources(feed, 1);
  socket.close();
  wait_for_sources(feed, 0);
}

TEST(HttpServer, WakesTwoHundredStreams) {
  constexpr int kStreams = 200;
  constexpr int kChanges = 1000;
  Feed feed;
  HttpTestServer server([&](const HttpRequest&) { return feed_reply(feed); });
  std::vector<RawSocket> sockets;
  for (int i = 0; i < kStreams; ++i) {
    sockets.push_back(RawSocket::connect(server.port()));
    sockets.back().send("GET / HTTP/1.0\r\n\r\n");
  }
  for (const RawSocket& socket : sockets) socket.receive_until("\r\n\r\n");
  std::string expected;
  for (int i = 0; i < kChanges; ++i) {
    expected += std::to_string(i) + "\n";
    {
      const std::lock_guard lock(feed.mutex);
      ++feed.changes;
      if (i + 1 == kChanges) feed.last = kChanges;
    }
    server.server().wake();
  }
  for (const RawSocket& socket : sockets) EXPECT_EQ(socket.receive_all(), expected);
  wait_for_sources(feed, 0);
}

// Says the time once, when its deadline comes.
class ClockSource : public BodySource {
 public:
  Pull pull(std::string& out, std::size_t /*wanted*/) override {
    if (std::chrono::steady_clock::now() < due_) return Pull::Wait;
    out += "now\n";
    return Pull::End;
  }
  std::chrono::steady_clock::time_point next_deadline() const override { return due_; }

 private:
  std::chrono::steady_clock::time_point due_ = std::chrono::steady_clock::now() + milliseconds(30);
};

TEST(HttpServer, AsksASourceAgainWhenItsDeadlineComes) {
  HttpTestServer server([&](const HttpRequest&) {
    Reply reply = answer("");
    reply.stream = std::make_unique<ClockSource>();
    return reply;
  });
  EXPECT_TRUE(talk(server, "GET / HTTP/1.0\r\n\r\n").ends_with("\r\n\r\nnow\n"));
}

class EndlessSource : public BodySource {
 public:
  explicit EndlessSource(std::promise<void>& gone) : gone_(gone) {}
  ~EndlessSource() override { gone_.set_value(); }
  EndlessSource(const EndlessSource&) = delete;
  EndlessSource& operator=(const EndlessSource&) = delete;
  Pull pull(std::string& out, std::size_t wanted) override {
    out.append(wanted, 'x');
    return Pull::More;
  }

 private:
  std::promise<void>& gone_;
};

TEST(HttpServer, CutsAReaderThatTakesNothing) {
  HttpServerOptions options;
  options.policy.write_stall = milliseconds(100);
  std::promise<void> gone;
  HttpTestServer server(
      [&](const HttpRequest&) {
        Reply reply = answer("");
        reply.stream = std::make_unique<EndlessSource>(gone);
        return reply;
      },
      options);
  const RawSocket socket = RawSocket::connect(server.port(), 4096);
  socket.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  EXPECT_EQ(gone.get_future().wait_for(testing::kPatience), std::future_status::ready);
}

class CutSource : public BodySource {
 public:
  Pull pull(std::string& out, std::size_t /*wanted*/) override {
    if (std::exchange(asked_, true)) return Pull::Cut;
    out += "half";
    return Pull::Wait;
  }

 private:
  bool asked_ = false;
};

TEST(HttpServer, CutsAStreamWithoutAProperEnd) {
  HttpTestServer server([&](const HttpRequest&) {
    Reply reply = answer("");
    reply.stream = std::make_unique<CutSource>();
    return reply;
  });
  EXPECT_TRUE(
      talk(server, "GET / HTTP/1.1\r\nHost: x\r\n\r\n").ends_with("0000000000000004\r\nhalf\r\n"));
}

TEST(HttpServer, HoldsAReplyBackUntilItIsReady) {
  std::atomic<bool> open = false;
  std::promise<void> asked;
  HttpTestServer server([&](const HttpRequest& request) {
    Reply reply = echo(request);
    reply.ready = [&, first = true]() mutable {
      if (!std::exchange(first, false)) return open.load();
      asked.set_value();
      return false;
    };
    return reply;
  });
  const RawSocket socket = RawSocket::connect(server.port());
  socket.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  asked.get_future().wait();
  server.server().wake();
  EXPECT_EQ(socket.receive(20), "");
  open = true;
  server.server().wake();
  EXPECT_NE(socket.receive_until("GET / ").find("200 OK"), std::string::npos);
}

TEST(HttpServer, RunsTasksOnItsLoop) {
  HttpTestServer server(echo);
  std::promise<std::thread::id> posted;
  std::promise<void> repeated;
  server.server().post([&] {
    posted.set_value(std::this_thread::get_id());
    server.server().repeat(milliseconds(1), [&, count = 0]() mutable {
      if (++count == 3) repeated.set_value();
    });
  });
  EXPECT_NE(posted.get_future().get(), std::this_thread::get_id());
  EXPECT_EQ(repeated.get_future().wait_for(testing::kPatience), std::future_status::ready);
}

TEST(HttpServer, StoppingEndsStreamsProperlyAndClosesIdleConnections) {
  Feed feed;
  HttpTestServer server([&](const HttpRequest&) { return feed_reply(feed); });
  const RawSocket idle = RawSocket::connect(server.port());
  const RawSocket socket = RawSocket::connect(server.port());
  socket.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  socket.receive_until("\r\n\r\n");
  wait_for_sources(feed, 1);
  std::thread reader([&] {
    EXPECT_EQ(socket.receive_until("0\r\n\r\n"), "0\r\n\r\n");
    socket.end_writing();
    EXPECT_EQ(idle.receive_all(), "");
  });
  const auto begin = std::chrono::steady_clock::now();
  server.stop(std::chrono::seconds(20));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(10));
  reader.join();
}

// Works in shares: asks to be asked again at once, and says the rest when it may.
class SharingSource : public BodySource {
 public:
  explicit SharingSource(const std::atomic<bool>& open) : open_(open) {}
  Pull pull(std::string& out, std::size_t /*wanted*/) override {
    if (!open_) return Pull::Wait;
    out += "the rest";
    return Pull::End;
  }
  std::chrono::steady_clock::time_point next_deadline() const override { return {}; }

 private:
  const std::atomic<bool>& open_;
};

TEST(HttpServer, StoppingLetsABodyThatWorksInSharesFinish) {
  std::atomic<bool> open = false;
  HttpTestServer server([&](const HttpRequest&) {
    Reply reply;
    reply.response.status = 200;
    reply.stream = std::make_unique<SharingSource>(open);
    return reply;
  });
  RawSocket socket = RawSocket::connect(server.port());
  socket.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  socket.receive_until("\r\n\r\n");
  server.server().stop(std::chrono::seconds(20));
  std::promise<void> stopping;
  server.server().post([&] { stopping.set_value(); });
  stopping.get_future().wait();
  open = true;
  EXPECT_NE(socket.receive_until("0\r\n\r\n").find("\r\nthe rest\r\n"), std::string::npos);
  socket.close();
  server.stop(std::chrono::seconds(20));
}

TEST(HttpServer, StoppingLetsAReplyBecomeReadyWithinTheGrace) {
  std::atomic<bool> open = false;
  std::promise<void> asked;
  HttpTestServer server([&](const HttpRequest& request) {
    Reply reply = echo(request);
    reply.ready = [&, first = true]() mutable {
      if (!std::exchange(first, false)) return open.load();
      asked.set_value();
      return false;
    };
    return reply;
  });
  RawSocket socket = RawSocket::connect(server.port());
  socket.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  asked.get_future().wait();
  server.server().stop(std::chrono::seconds(20));
  open = true;
  server.server().wake();
  EXPECT_NE(socket.receive_until("GET / ").find(kClose), std::string::npos);
  socket.close();
  server.stop(std::chrono::seconds(20));
}

TEST(HttpServer, SaysWhichAddressItCannotHave) {
  HttpTestServer server(echo);
  class Nothing : public HttpHandler {
    Reply handle(const HttpRequest& /*request*/) override { return {}; }
  } nothing;
  HttpServerOptions options;
  options.port = server.port();
  const auto taken = HttpServer::create(options, nothing);
  ASSERT_FALSE(taken);
  EXPECT_EQ(taken.error().message,
            "listen on 127.0.0.1:" + std::to_string(server.port()) + ": Address already in use");
  options.address = "localhost";
  EXPECT_FALSE(HttpServer::create(options, nothing));
}

TEST(HttpServer, ServesAlsoIpv6) {
  class Nothing : public HttpHandler {
    Reply handle(const HttpRequest& /*request*/) override { return {}; }
  } nothing;
  HttpServerOptions options;
  options.address = "::1";
  const auto server = HttpServer::create(options, nothing);
  if (!server) GTEST_SKIP() << "no IPv6 here: " << server.error().message;
  EXPECT_GT((*server)->port(), 0);
}

}  // namespace
}  // namespace proxima::net
