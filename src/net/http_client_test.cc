// SPDX-License-Identifier: Apache-2.0
// The client against our server, and against sockets that misbehave.
#include "net/http_client.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <thread>

#include "net/certificates.h"
#include "net/inflate.h"
#include "support/dripping_server.h"
#include "support/http_test_server.h"
#include "support/pki.h"
#include "support/raw_socket.h"

namespace proxima::net {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using support::answer;
using support::echo;
using support::HttpTestServer;
using support::Pki;
using support::RawListener;
using support::RawSocket;
using support::tls_options;

constexpr Deadlines kShort{milliseconds(200), milliseconds(200), milliseconds(200)};

std::unique_ptr<HttpClient> client_of(const std::string& origin, const TlsClientOptions& tls = {}) {
  auto client = HttpClient::create({.origin = origin, .tls = tls});
  PROXIMA_CHECK(client.has_value());
  return std::move(client).value();
}

std::string body_of(const Result<HttpResponse>& response) {
  return response ? response->body : "error: " + response.error().message;
}

std::string get(HttpClient& client, const std::string& target = "/",
                const Deadlines& deadlines = {}) {
  return body_of(fetch(client, {.target = target}, deadlines, Cancellation()));
}

// Answers each connection with one text, whatever is asked.
class Scripted {
 public:
  explicit Scripted(std::vector<std::string> answers, bool wait_for_request = true)
      : thread_([this, answers = std::move(answers), wait_for_request] {
          for (const std::string& text : answers) {
            const RawSocket socket = listener_.accept();
            if (wait_for_request) socket.receive_until("\r\n\r\n");
            socket.send(text);
            socket.end_writing();
            socket.receive_all();
          }
        }) {}
  ~Scripted() { thread_.join(); }
  Scripted(const Scripted&) = delete;
  Scripted& operator=(const Scripted&) = delete;
  std::string origin() const { return "http://127.0.0.1:" + std::to_string(listener_.port()); }

 private:
  RawListener listener_;
  std::thread thread_;
};

TEST(HttpClient, TheWholeAnswerHasADeadlineHoweverSteadilyItComes) {
  const support::DrippingServer server;
  const auto client = client_of(server.origin());
  const auto fetched = fetch(*client, {}, {.total = milliseconds(200)}, Cancellation());
  ASSERT_FALSE(fetched);
  EXPECT_EQ(fetched.error().code, ErrorCode::Retry);
  EXPECT_NE(fetched.error().message.find("timed out"), std::string::npos)
      << fetched.error().message;
}

TEST(HttpClient, SendsRequestsAndReadsAnswers) {
  HttpTestServer server(echo);
  const auto client = client_of(server.origin());
  EXPECT_EQ(get(*client, "/a?b=c"), "GET /a?b=c ");
  for (const std::size_t size : {0UL, 1UL, 100'000UL, 2'000'000UL}) {
    const std::string body(size, 'x');
    const auto response = fetch(*client, {.method = "PUT", .target = "/p", .body = body}, {}, {});
    EXPECT_TRUE(body_of(response) == "PUT /p " + body) << size;
  }
  const auto head = fetch(*client, {.method = "HEAD"}, {}, {});
  ASSERT_TRUE(head);
  EXPECT_EQ(head->body, "");
  EXPECT_EQ(head->headers.find("content-length"), "7");
}

TEST(HttpClient, PutsThePathOfTheOriginBeforeEveryTarget) {
  HttpTestServer server(echo);
  const auto client = client_of(server.origin() + "/k8s/c1/");
  EXPECT_EQ(get(*client, "/api"), "GET /k8s/c1/api ");
}

TEST(HttpClient, TellsTheServerWhatItNeedsToKnow) {
  HttpTestServer server([](const HttpRequest& request) {
    std::string text;
    for (const auto& it : request.headers.all()) text += it.name + ": " + it.value + "\n";
    return answer(text);
  });
  const auto client = client_of(server.origin());
  const HttpRequest request{.method = "POST",
                            .headers = {{"Authorization", "Bearer t"}, {"Host", "other"}},
                            .body = "ab"};
  EXPECT_EQ(body_of(fetch(*client, request, {}, {})),
            "Host: 127.0.0.1:" + std::to_string(server.port()) +
                "\nAuthorization: Bearer t\nAccept-Encoding: gzip\nContent-Length: 2\n");
}

TEST(HttpClient, ReadsBodiesHoweverTheyAreFramed) {
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  const std::string text(5'000, 'y');
  const std::string packed = gzip(text);
  const auto length_of = [](const std::string& it) {
    return "Content-Length: " + std::to_string(it.size()) + "\r\n";
  };
  const std::pair<std::string, std::string> rows[] = {
      {ok + "Content-Length: 2\r\n\r\nhi", "hi"},
      {ok + "Transfer-Encoding: chunked\r\n\r\n1\r\nh\r\n1\r\ni\r\n0\r\n\r\n", "hi"},
      {ok + "\r\nuntil the end", "until the end"},
      {"HTTP/1.1 100 Continue\r\n\r\n" + ok + "Content-Length: 2\r\n\r\nhi", "hi"},
      {"HTTP/1.0 200 OK\r\n\r\nold", "old"},
      {"HTTP/1.1 204 No Content\r\n\r\n", ""},
      {ok + "Content-Encoding: gzip\r\n" + length_of(packed) + "\r\n" + packed, text},
      {ok + "Content-Encoding: gzip\r\n\r\n" + packed, text},
      {ok + "Content-Encoding: gzip\r\nContent-Length: 0\r\n\r\n", ""},
  };
  for (const auto& [wire, body] : rows) {
    const Scripted server({wire});
    EXPECT_EQ(get(*client_of(server.origin())), body) << wire.substr(0, 200);
  }
}

TEST(HttpClient, ReportsWhatIsNotAnAnswer) {
  const std::string ok = "HTTP/1.1 200 OK\r\n";
  std::string damaged = gzip("text");
  damaged[damaged.size() - 6] = static_cast<char>(damaged[damaged.size() - 6] ^ 1);
  const std::pair<std::string, std::string> rows[] = {
      {"", "closed by the server: the message is cut off"},
      {"HTTP/1.1 20", "closed by the server: the message is cut off"},
      {"SSH-2.0-OpenSSH_9.2\r\n\r\n", "not HTTP/1.1: "},
      {"\x15\x03\x01\x02\x02\r\n\r\n", "not HTTP/1.1: "},
      {ok + "Content-Length: 5\r\n\r\nhi", "closed by the server: the message is cut off"},
      {ok + "Transfer-Encoding: chunked\r\n\r\n5\r\nhi", "closed by the server: "},
      {ok + "Transfer-Encoding: chunked\r\n\r\nzz\r\nabc", "not HTTP/1.1: bad chunk"},
      {ok + "X: " + std::string(300'000, 'x') + "\r\n\r\n", "the header is too long"},
      {ok + "Content-Encoding: gzip\r\nContent-Length: 3\r\n\r\nabc",
       "the compressed body is damaged"},
      {ok + "Content-Encoding: gzip\r\n\r\n" + damaged, "the compressed body is damaged"},
      {ok + "Content-Encoding: gzip\r\n\r\n" + gzip("text").substr(0, 12),
       "the compressed body is cut off"},
  };
  for (const auto& [wire, problem] : rows) {
    const Scripted server({wire});
    const auto response = fetch(*client_of(server.origin()), {}, {}, {});
    ASSERT_FALSE(response) << wire.substr(0, 100);
    EXPECT_EQ(response.error().code, ErrorCode::Retry);
    EXPECT_NE(response.error().message.find(problem), std::string::npos)
        << response.error().message;
  }
}

TEST(HttpClient, SaysWhatFailedAndWithWhom) {
  RawListener listener;
  listener.close();
  const std::string where = "127.0.0.1:" + std::to_string(listener.port());
  EXPECT_EQ(get(*client_of("http://" + where)),
            "error: connect to " + where + ": Connection refused");
  EXPECT_TRUE(get(*client_of("http://no-such-host.invalid"), "/", {.connect = seconds(5)})
                  .starts_with("error: connect to no-such-host.invalid:80: look up "));
}

TEST(HttpClient, RefusesUrlsAndCertificatesThatCannotBeUsed) {
  const HttpClientOptions rows[] = {
      {.origin = "10.0.0.1"},
      {.origin = "socks5://10.0.0.1"},
      {.origin = "https://10.0.0.1", .tls = {.ca_pem = "garbage"}},
      {.origin = "https://10.0.0.1", .tls = {.certificate_pem = "garbage", .key_pem = "garbage"}},
      {.origin = "https://10.0.0.1", .proxy = "ftp://proxy"},
  };
  for (const HttpClientOptions& options : rows) {
    const auto client = HttpClient::create(options);
    ASSERT_FALSE(client) << options.origin;
    EXPECT_EQ(client.error().code, ErrorCode::InvalidInput);
  }
}

TEST(HttpClient, RefusesABodyThatIsTooLong) {
  HttpTestServer server([](const HttpRequest&) { return answer(std::string(1000, 'x')); });
  const auto client = client_of(server.origin());
  EXPECT_TRUE(fetch(*client, {}, {}, {}, 1000));
  EXPECT_FALSE(fetch(*client, {}, {}, {}, 999));
}

// ---- kept connections

// Counts the connections it was asked on; each answers `answers` requests and is then closed.
class Counting {
 public:
  explicit Counting(int answers)
      : thread_([this, answers] {
          while (!stop_) {
            const RawSocket socket = listener_.accept();
            if (stop_) return;
            ++connections_;
            for (int i = 0; i < answers; ++i) {
              if (socket.receive_until("\r\n\r\n").empty()) break;
              socket.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            }
            if (linger_) socket.receive_until("\r\n\r\n");
          }
        }) {}
  ~Counting() {
    stop_ = true;
    RawSocket::connect(listener_.port());
    thread_.join();
  }
  Counting(const Counting&) = delete;
  Counting& operator=(const Counting&) = delete;

  std::string origin() const { return "http://127.0.0.1:" + std::to_string(listener_.port()); }
  int connections() const { return connections_; }
  // The last request of a connection is read before it is closed.
  void swallow_one() { linger_ = true; }

 private:
  RawListener listener_;
  std::atomic<bool> stop_ = false;
  std::atomic<bool> linger_ = false;
  std::atomic<int> connections_ = 0;
  std::thread thread_;
};

TEST(HttpClient, UsesAConnectionAgain) {
  Counting server(3);
  {
    const auto client = client_of(server.origin());
    for (int i = 0; i < 3; ++i) EXPECT_EQ(get(*client), "ok");
  }
  EXPECT_EQ(server.connections(), 1);
}

TEST(HttpClient, SendsARequestAgainWhenTheKeptConnectionWasClosed) {
  Counting server(1);
  server.swallow_one();
  const auto client = client_of(server.origin());
  EXPECT_EQ(get(*client), "ok");
  EXPECT_EQ(get(*client), "ok");
  EXPECT_EQ(server.connections(), 2);
}

TEST(HttpClient, DoesNotSendAChangeTwice) {
  Counting server(1);
  server.swallow_one();
  const auto client = client_of(server.origin());
  EXPECT_EQ(get(*client), "ok");
  EXPECT_FALSE(fetch(*client, {.method = "POST", .body = "once"}, {}, {}));
  EXPECT_EQ(server.connections(), 1);
}

TEST(HttpClient, ClosesTheConnectionOfABodyThatIsNotReadToItsEnd) {
  Counting server(5);
  const auto client = client_of(server.origin());
  { const auto stream = client->open({}, {}, {}); }
  EXPECT_EQ(get(*client), "ok");
  EXPECT_EQ(server.connections(), 2);
}

TEST(HttpClient, TakesTheEarlyAnswerOfAServerThatDoesNotReadOn) {
  HttpServerOptions options;
  options.policy.body_bytes_max = 1000;
  HttpTestServer server(echo, options);
  const auto client = client_of(server.origin());
  const auto response =
      fetch(*client, {.method = "POST", .body = std::string(8'000'000, 'x')}, {}, {});
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 413);
}

// ---- deadlines and cancellation

TEST(HttpClient, EveryWaitHasALimit) {
  const RawListener silent;  // connects, and says nothing
  const std::string where = "127.0.0.1:" + std::to_string(silent.port());
  EXPECT_EQ(get(*client_of("http://" + where), "/", kShort),
            "error: GET " + where + ": read from " + where + ": timed out");
  EXPECT_EQ(get(*client_of("https://" + where), "/", kShort),
            "error: TLS with " + where + ": timed out");
  HttpTestServer half([](const HttpRequest&) {
    struct Half : BodySource {
      Pull pull(std::string& out, std::size_t /*wanted*/) override {
        if (!std::exchange(said, true)) out += "half";
        return Pull::Wait;
      }
      bool said = false;
    };
    Reply reply = answer("");
    reply.stream = std::make_unique<Half>();
    return reply;
  });
  const auto client = client_of(half.origin());
  const auto stream = client->open({}, kShort, {});
  ASSERT_TRUE(stream);
  const auto first = (*stream)->read();
  ASSERT_TRUE(first);
  EXPECT_EQ(*first, "half");
  const auto second = (*stream)->read();
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("timed out"), std::string::npos);
}

TEST(HttpClient, CancellationEndsEveryWaitAtOnce) {
  const RawListener silent;
  const std::string where = "127.0.0.1:" + std::to_string(silent.port());
  for (const std::string scheme : {"http://", "https://"}) {
    const auto client = client_of(scheme + where);
    const Cancellation cancellation;
    auto response = std::async(std::launch::async,
                               [&] { return body_of(fetch(*client, {}, {}, cancellation)); });
    const RawSocket accepted = silent.accept();
    accepted.receive();
    cancellation.cancel();
    EXPECT_TRUE(response.get().ends_with("cancelled"));
    EXPECT_TRUE(body_of(fetch(*client, {}, {}, cancellation)).ends_with("cancelled"));
  }
}

TEST(HttpClient, CancellationEndsAStreamThatWaits) {
  HttpTestServer server([](const HttpRequest&) {
    struct Silent : BodySource {
      Pull pull(std::string& /*out*/, std::size_t /*wanted*/) override { return Pull::Wait; }
    };
    Reply reply = answer("");
    reply.stream = std::make_unique<Silent>();
    return reply;
  });
  const auto client = client_of(server.origin());
  const Cancellation cancellation;
  const auto stream = client->open({}, {}, cancellation);
  ASSERT_TRUE(stream);
  auto piece = std::async(std::launch::async, [&] { return (*stream)->read().has_value(); });
  cancellation.cancel();
  EXPECT_FALSE(piece.get());
  EXPECT_FALSE((*stream)->read()) << "a stream that failed has no good end";
}

TEST(HttpClient, ServesManyThreads) {
  HttpTestServer server(echo);
  const auto client = client_of(server.origin());
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      for (int j = 0; j < 50; ++j) {
        const std::string target = "/" + std::to_string(i) + "/" + std::to_string(j);
        EXPECT_EQ(get(*client, target), "GET " + target + " ");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

// ---- TLS

TEST(HttpClientTls, TalksToAServerWithAGoodCertificate) {
  const Pki pki;
  HttpTestServer server(echo, tls_options(pki.server));
  const auto client = client_of(server.origin(), {.ca_pem = pki.authority.certificate_pem});
  EXPECT_EQ(get(*client, "/1"), "GET /1 ");
  EXPECT_EQ(get(*client, "/2"), "GET /2 ");
  const std::string body(2'500'000, 'x');
  EXPECT_TRUE(body_of(fetch(*client, {.method = "PUT", .body = body}, {}, {})) == "PUT / " + body);
}

TEST(HttpClientTls, TalksByNameAndByAnyNameItIsTold) {
  const Pki pki;
  HttpTestServer server(echo, tls_options(pki.server));
  const std::string port = std::to_string(server.port());
  const std::string ca = pki.authority.certificate_pem;
  EXPECT_EQ(get(*client_of("https://localhost:" + port, {.ca_pem = ca})), "GET / ");
  const auto other =
      make_server_certificate(pki.authority, {.common_name = "x", .names = {"api.test"}});
  HttpTestServer named(echo, tls_options(*other));
  EXPECT_EQ(get(*client_of(named.origin(), {.ca_pem = ca, .server_name = "api.test"})), "GET / ");
}

TEST(HttpClientTls, RefusesCertificatesThatAreNotGood) {
  const Pki pki;
  const auto other = make_authority({.common_name = "other"}).value();
  const auto expired = make_server_certificate(
      pki.authority,
      {.common_name = "x", .names = {"127.0.0.1"}, .valid_for = std::chrono::hours(-1)});
  const auto misnamed =
      make_server_certificate(pki.authority, {.common_name = "127.0.0.1", .names = {"127.0.0.2"}});
  struct Row {
    const char* name;
    CertificateAndKey certificate;
    std::string ca;
    const char* problem;
  };
  const Row rows[] = {
      {"another authority", pki.server, other.certificate_pem,
       "unable to get local issuer certificate"},
      {"the system's authorities", pki.server, "", "unable to get local issuer certificate"},
      {"expired", *expired, pki.authority.certificate_pem, "certificate has expired"},
      {"another address", *misnamed, pki.authority.certificate_pem, "IP address mismatch"},
  };
  for (const Row& row : rows) {
    HttpTestServer server(echo, tls_options(row.certificate));
    const auto response = fetch(*client_of(server.origin(), {.ca_pem = row.ca}), {}, {}, {});
    ASSERT_FALSE(response) << row.name;
    EXPECT_EQ(response.error().code, ErrorCode::Denied) << row.name;
    EXPECT_EQ(response.error().message, "TLS with 127.0.0.1:" + std::to_string(server.port()) +
                                            ": certificate refused: " + row.problem);
    EXPECT_EQ(get(*client_of(server.origin(), {.skip_verification = true})), "GET / ") << row.name;
  }
}

TEST(HttpClientTls, ReportsAPeerThatDoesNotSpeakTls) {
  HttpTestServer plain(echo);
  const std::string where = "127.0.0.1:" + std::to_string(plain.port());
  const auto response = fetch(*client_of("https://" + where), {}, {}, {});
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().code, ErrorCode::Retry);
  EXPECT_TRUE(response.error().message.starts_with("TLS with " + where + ": "))
      << response.error().message;
}

}  // namespace
}  // namespace proxima::net
