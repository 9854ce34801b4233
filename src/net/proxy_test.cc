// SPDX-License-Identifier: Apache-2.0
// The client through proxies that check what they are told and then pass bytes on.
#include "net/proxy.h"

#include <gtest/gtest.h>
#include <openssl/ssl.h>
#include <poll.h>

#include <thread>

#include "net/certificates.h"
#include "net/http_client.h"
#include "support/http_test_server.h"
#include "support/raw_socket.h"

namespace proxima::net {
namespace {

using namespace std::string_literals;
using support::answer;
using support::HttpTestServer;
using support::RawListener;
using support::RawSocket;

struct Step {
  std::string expected;  // what the client says, exactly
  std::string said;      // to that
};

// Takes one connection, goes through the steps and then joins it to `target`.
class ScriptedProxy {
 public:
  ScriptedProxy(std::vector<Step> steps, std::uint16_t target)
      : thread_([this, steps = std::move(steps), target] { serve(steps, target); }) {}
  ~ScriptedProxy() { thread_.join(); }
  ScriptedProxy(const ScriptedProxy&) = delete;
  ScriptedProxy& operator=(const ScriptedProxy&) = delete;
  std::uint16_t port() const { return listener_.port(); }

 private:
  void serve(const std::vector<Step>& steps, std::uint16_t target) {
    const RawSocket client = listener_.accept();
    for (const Step& step : steps) {
      std::string heard;
      while (heard.size() < step.expected.size()) {
        const std::string bytes = client.receive();
        if (bytes.empty()) break;
        heard += bytes;
      }
      EXPECT_EQ(heard, step.expected);
      client.send(step.said);
    }
    if (target > 0) join(client, RawSocket::connect(target));
  }
  static void join(const RawSocket& client, const RawSocket& server) {
    while (true) {
      pollfd both[] = {{client.descriptor(), POLLIN, 0}, {server.descriptor(), POLLIN, 0}};
      if (::poll(both, 2, support::kPatienceMs) <= 0) return;
      for (const auto& [from, to, state] :
           {std::tuple{&client, &server, both[0]}, std::tuple{&server, &client, both[1]}}) {
        if (state.revents == 0) continue;
        const std::string bytes = from->receive();
        if (bytes.empty() || !to->send(bytes)) return;
      }
    }
  }

  RawListener listener_;
  std::thread thread_;
};

Reply echo_target(const HttpRequest& request) { return answer("asked " + request.target); }

std::string get(const std::string& origin, const std::string& proxy, const std::string& ca = "") {
  auto client = HttpClient::create({.origin = origin, .tls = {.ca_pem = ca}, .proxy = proxy});
  PROXIMA_CHECK(client.has_value());
  const auto response = fetch(**client, {.target = "/x"}, {}, {});
  return response ? response->body : "error: " + response.error().message;
}

std::string port_bytes(std::uint16_t port) {
  return {static_cast<char>(port >> 8U), static_cast<char>(port & 255U)};
}

struct Tls {
  CertificateAndKey authority = make_authority({.common_name = "a"}).value();
  HttpServerOptions options() const {
    const auto made = make_server_certificate(
        authority, {.common_name = "s", .names = {"127.0.0.1", "localhost"}});
    HttpServerOptions options;
    options.certificate_pem = made->certificate_pem;
    options.key_pem = made->key_pem;
    return options;
  }
};

TEST(Proxy, AnHttpsOriginIsReachedThroughATunnel) {
  const Tls tls;
  HttpTestServer server(echo_target, tls.options());
  const std::string where = "127.0.0.1:" + std::to_string(server.port());
  const ScriptedProxy proxy({{"CONNECT " + where + " HTTP/1.1\r\nHost: " + where +
                                  "\r\nProxy-Authorization: Basic Ym9iOnNlY3JldA==\r\n\r\n",
                              "HTTP/1.1 200 Connection established\r\n\r\n"}},
                            server.port());
  EXPECT_EQ(get(server.origin(), "http://bob:secret@127.0.0.1:" + std::to_string(proxy.port()),
                tls.authority.certificate_pem),
            "asked /x");
}

TEST(Proxy, AnHttpOriginIsNamedInTheRequest) {
  HttpTestServer proxy(echo_target);
  EXPECT_EQ(get("http://origin.test:8080/base", proxy.origin()),
            "asked http://origin.test:8080/base/x");
}

TEST(Proxy, AProxyUnderTlsIsVerifiedToo) {
  const Tls tls;
  HttpTestServer proxy(echo_target, tls.options());
  EXPECT_EQ(get("http://origin.test", proxy.origin(), tls.authority.certificate_pem),
            "asked http://origin.test/x");
  EXPECT_NE(get("http://origin.test", proxy.origin()).find("certificate refused"),
            std::string::npos);
}

TEST(Proxy, ARefusalIsReportedWithoutThePassword) {
  const ScriptedProxy proxy(
      {{"CONNECT origin.test:443 HTTP/1.1\r\nHost: origin.test:443\r\n"
        "Proxy-Authorization: Basic Ym9iOnNlY3JldA==\r\n\r\n",
        "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n"}},
      0);
  const std::string where = "127.0.0.1:" + std::to_string(proxy.port());
  EXPECT_EQ(get("https://origin.test", "http://bob:secret@" + where),
            "error: proxy " + where +
                ": connect to origin.test:443: answered 407 Proxy Authentication Required");
}

// A proxy under TLS, by OpenSSL's own calls: one CONNECT, then bytes to `target`.
void serve_tls_proxy(const RawListener& listener, SSL_CTX* context, std::uint16_t target) {
  const RawSocket socket = listener.accept();
  const std::unique_ptr<SSL, decltype(&SSL_free)> tls(SSL_new(context), SSL_free);
  SSL_set_fd(tls.get(), socket.descriptor());
  ASSERT_EQ(SSL_accept(tls.get()), 1);
  std::string bytes(64U << 10U, '\0');
  ASSERT_GT(SSL_read(tls.get(), bytes.data(), static_cast<int>(bytes.size())), 0);
  const std::string_view ok = "HTTP/1.1 200 OK\r\n\r\n";
  SSL_write(tls.get(), ok.data(), static_cast<int>(ok.size()));
  const RawSocket server = RawSocket::connect(target);
  while (true) {
    pollfd both[] = {{socket.descriptor(), POLLIN, 0}, {server.descriptor(), POLLIN, 0}};
    if (SSL_pending(tls.get()) == 0 && ::poll(both, 2, support::kPatienceMs) <= 0) return;
    if (SSL_pending(tls.get()) > 0 || both[0].revents != 0) {
      const int count = SSL_read(tls.get(), bytes.data(), static_cast<int>(bytes.size()));
      if (count <= 0) return;
      server.send(std::string_view(bytes).substr(0, static_cast<std::size_t>(count)));
    }
    if (both[1].revents == 0) continue;
    const std::string answer = server.receive();
    if (answer.empty()) return;
    SSL_write(tls.get(), answer.data(), static_cast<int>(answer.size()));
  }
}

TEST(Proxy, TlsToTheOriginGoesThroughTlsToTheProxy) {
  const Tls tls;
  const HttpServerOptions options = tls.options();
  HttpTestServer server(echo_target, options);
  const auto context = TlsContext::for_server(options.certificate_pem, options.key_pem);
  ASSERT_TRUE(context);
  const std::unique_ptr<SSL, decltype(&SSL_free)> any(context->new_server_session(), SSL_free);
  const RawListener listener;
  std::thread proxy([&] { serve_tls_proxy(listener, SSL_get_SSL_CTX(any.get()), server.port()); });
  EXPECT_EQ(get(server.origin(), "https://localhost:" + std::to_string(listener.port()),
                tls.authority.certificate_pem),
            "asked /x");
  proxy.join();
}

TEST(Proxy, Socks5WithAnAddress) {
  HttpTestServer server(echo_target);
  const ScriptedProxy proxy({{"\x05\x01\x00"s, "\x05\x00"s},
                             {"\x05\x01\x00\x01\x7f\x00\x00\x01"s + port_bytes(server.port()),
                              "\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00"s}},
                            server.port());
  EXPECT_EQ(get(server.origin(), "socks5://127.0.0.1:" + std::to_string(proxy.port())), "asked /x");
}

TEST(Proxy, Socks5WithANameAndAPasswordUnderTls) {
  const Tls tls;
  HttpTestServer server(echo_target, tls.options());
  const ScriptedProxy proxy({{"\x05\x02\x00\x02"s, "\x05\x02"s},
                             {"\x01\x03"
                              "bob\x06secret"s,
                              "\x01\x00"s},
                             {"\x05\x01\x00\x03\x09localhost"s + port_bytes(server.port()),
                              "\x05\x00\x00\x03\x01x\x00\x00"s}},
                            server.port());
  EXPECT_EQ(get("https://localhost:" + std::to_string(server.port()),
                "socks5://bob:secret@127.0.0.1:" + std::to_string(proxy.port()),
                tls.authority.certificate_pem),
            "asked /x");
}

TEST(Proxy, Socks5Refusals) {
  const std::pair<std::vector<Step>, std::string> rows[] = {
      {{{"\x05\x01\x00"s, "\x05\xff"s}}, "wants to know who we are"},
      {{{"\x05\x01\x00"s, "HTTP/1.1 400 Bad Request\r\n\r\n"}}, "does not speak SOCKS 5"},
      {{{"\x05\x01\x00"s, "\x05\x00"s},
        {"\x05\x01\x00\x01\x0a\x00\x00\x01\x00\x50"s, "\x05\x05\x00\x01"s}},
       "connection refused"},
      {{{"\x05\x01\x00"s, "\x05"s}}, "closed the connection"},
  };
  for (const auto& [steps, problem] : rows) {
    const ScriptedProxy proxy(steps, 0);
    const std::string said =
        get("http://10.0.0.1", "socks5://127.0.0.1:" + std::to_string(proxy.port()));
    EXPECT_TRUE(said.starts_with("error: ")) << said;
    EXPECT_NE(said.find(problem), std::string::npos) << said;
  }
}

}  // namespace
}  // namespace proxima::net
