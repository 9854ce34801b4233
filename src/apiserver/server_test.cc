// SPDX-License-Identifier: Apache-2.0
#include "apiserver/server.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <thread>

#include "net/http_client.h"
#include "support/file_text.h"
#include "support/temp_folder.h"
#include "support/tls_exchange.h"

namespace proxima::apiserver {
namespace {

unsigned mode_of(const std::string& path) {
  struct stat status {};
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 0777U;
}

class ServerTest : public ::testing::Test {
 protected:
  Result<std::unique_ptr<Server>> make() {
    ServerOptions options;
    options.data_directory = folder_.file("data");
    options.port = 0;
    options.durability = StoreOptions::Durability::Normal;
    return Server::create(std::move(options), clock_);
  }
  std::string file(const std::string& name) const { return folder_.file("data/" + name); }

  // Runs while `visit` talks to it.
  template <class Visit>
  void serve(Visit visit) {
    auto server = make();
    ASSERT_TRUE(server) << server.error().message;
    std::thread loop([&] { (*server)->run(); });
    visit(**server);
    (*server)->stop();
    loop.join();
  }

  Result<net::HttpResponse> ask(const Server& server, const std::string& method,
                                const std::string& target, const std::string& body = {}) {
    net::HttpClientOptions options;
    options.origin = server.url();
    options.tls.ca_pem = test::file_text(file("pki/ca.crt"));
    auto client = net::HttpClient::create(std::move(options));
    if (!client) return std::move(client).error();
    std::string token = test::file_text(file("pki/admin.token"));
    token.pop_back();
    net::HttpRequest request{method, target, {{"Authorization", "Bearer " + token}}, body};
    if (!body.empty()) request.headers.add("Content-Type", "application/json");
    return net::fetch(**client, request, {}, {});
  }

  SystemClock clock_;
  testing::TempFolder folder_;
};

TEST_F(ServerTest, AnswersOverTlsThatItsOwnAuthorityVouchesFor) {
  serve([&](const Server& server) {
    const auto ready = ask(server, "GET", "/readyz");
    ASSERT_TRUE(ready) << ready.error().message;
    EXPECT_EQ(ready->body, "ok");
  });
}

TEST_F(ServerTest, KeepsWhatIsSecretToItsOwner) {
  ASSERT_TRUE(make());
  EXPECT_EQ(mode_of(folder_.file("data")), 0700U);
  for (const char* name : {"kubeconfig", "kubeconfig-readonly", "pki/ca.key", "pki/apiserver.key",
                           "pki/admin.token", "pki/readonly.token"})
    EXPECT_EQ(mode_of(file(name)), 0600U) << name;
  EXPECT_EQ(
      test::file_text(file("kubeconfig-readonly")).find(test::file_text(file("pki/admin.token"))),
      std::string::npos);
}

TEST_F(ServerTest, ABodyIsNotReadBeforeTheTokenIsKnown) {
  serve([&](const Server& server) {
    for (const char* const token : {"", "Authorization: Bearer wrong\r\n"}) {
      // Nothing of the body is ever sent.
      const std::string refusal = support::tls_exchange(
          server.url(), test::file_text(file("pki/ca.crt")),
          std::string("POST /api/v1/namespaces/default/services HTTP/1.1\r\nHost: x\r\n") + token +
              "Content-Length: 3000000\r\n\r\n");
      EXPECT_TRUE(refusal.starts_with("HTTP/1.1 401 ")) << refusal;
      EXPECT_NE(refusal.find("Connection: close\r\n"), std::string::npos) << refusal;
      EXPECT_NE(refusal.find(R"("reason":"Unauthorized")"), std::string::npos) << refusal;
    }
  });
}

TEST_F(ServerTest, RefusesADirectoryThatIsInUse) {
  const auto first = make();
  ASSERT_TRUE(first);
  const std::string kubeconfig = test::file_text(file("kubeconfig"));
  const auto second = make();
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("another process uses the file"), std::string::npos);
  EXPECT_EQ(test::file_text(file("kubeconfig")), kubeconfig) << "of the one that runs";
}

TEST_F(ServerTest, IsTheSameServerAfterARestart) {
  serve([&](const Server& server) {
    EXPECT_EQ(ask(server, "POST", "/api/v1/namespaces", R"({"metadata":{"name":"shop"}})")->status,
              201);
  });
  const std::string authority = test::file_text(file("pki/ca.crt"));
  const std::string certificate = test::file_text(file("pki/apiserver.crt"));
  const std::string token = test::file_text(file("pki/admin.token"));
  serve([&](const Server& server) {
    EXPECT_EQ(ask(server, "GET", "/api/v1/namespaces/shop")->status, 200);
  });
  EXPECT_EQ(test::file_text(file("pki/ca.crt")), authority);
  EXPECT_EQ(test::file_text(file("pki/apiserver.crt")), certificate);
  EXPECT_EQ(test::file_text(file("pki/admin.token")), token);
}

TEST_F(ServerTest, RefusesRangesThatMakeNoSense) {
  ServerOptions options;
  options.data_directory = folder_.file("data");
  options.port = 0;
  options.ranges.service_cidrs = {"not a range"};
  EXPECT_FALSE(Server::create(std::move(options), clock_));
}

}  // namespace
}  // namespace proxima::apiserver
