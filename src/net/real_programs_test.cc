// SPDX-License-Identifier: Apache-2.0
// Our server asked by curl and openssl, and our client against openssl's server: programs that know
// nothing of us. Skipped, with the reason, where they are not installed.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "net/certificates.h"
#include "net/http_client.h"
#include "support/http_test_server.h"
#include "support/pki.h"
#include "support/raw_socket.h"
#include "support/run_program.h"

namespace proxima::net {
namespace {

using support::answer;
using support::HttpTestServer;
using support::Pki;
using support::tls_options;

bool has(const std::string& program) {
  return std::system(("command -v " + program + " >/dev/null 2>&1").c_str()) == 0;
}

std::string output_of(const std::string& command) {
  return test::run_program("timeout 60 " + command).text;
}

class Folder {
 public:
  Folder() : path_(::testing::TempDir() + "proxima_net_XXXXXX") {
    PROXIMA_CHECK(mkdtemp(path_.data()) != nullptr);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path_ + "/" + name) << text;
    return path_ + "/" + name;
  }

 private:
  std::string path_;
};

TEST(RealPrograms, CurlIsServed) {
  if (!has("curl")) GTEST_SKIP() << "curl is not installed";
  const Pki pki;
  const Folder folder;
  const std::string ca = folder.file("ca.pem", pki.authority.certificate_pem);
  const std::string upload = folder.file("upload", std::string(1'500'000, 'u'));
  const std::string long_text(400'000, 'x');
  HttpTestServer server(
      [&](const HttpRequest& request) {
        if (request.target == "/long") return answer(long_text);
        return answer(request.method + " " + request.target + " " +
                      std::to_string(request.body.size()));
      },
      tls_options(pki.server));
  const std::string curl = "curl -sS --cacert " + ca + " ";
  const std::string origin = server.origin();
  const std::pair<std::string, std::string> rows[] = {
      {origin + "/a", "GET /a 0"},
      {origin + "/a " + origin + "/b", "GET /a 0GET /b 0"},
      {"--http2 " + origin + "/a", "GET /a 0"},
      {"-T " + upload + " " + origin + "/up", "PUT /up 1500000"},  // waits for 100 Continue
      {"-H 'Transfer-Encoding: chunked' -T " + upload + " " + origin + "/up", "PUT /up 1500000"},
      {"-X POST -d abc " + origin + "/p", "POST /p 3"},
      {"--compressed " + origin + "/long", long_text},
      {"-0 " + origin + "/old", "GET /old 0"},
      {"-o /dev/null -w '%{http_version} %{http_code}' " + origin + "/", "1.1 200"},
      {"-I -o /dev/null -w '%{http_code}' " + origin + "/", "200"},
  };
  for (const auto& [arguments, expected] : rows) {
    EXPECT_EQ(output_of(curl + arguments), expected) << arguments;
  }
}

TEST(RealPrograms, OpensslFindsTheServersTlsInOrder) {
  if (!has("openssl")) GTEST_SKIP() << "openssl is not installed";
  const Pki pki;
  const Folder folder;
  const std::string ca = folder.file("ca.pem", pki.authority.certificate_pem);
  HttpTestServer server([](const HttpRequest&) { return answer("hello"); },
                        tls_options(pki.server));
  const std::string where = "127.0.0.1:" + std::to_string(server.port());
  const std::string request =
      folder.file("request", "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  const std::string client = "sh -c 'openssl s_client -connect " + where + " -CAfile " + ca +
                             " -verify_return_error -ign_eof -alpn h2,http/1.1 ";
  const std::string input = " < " + request + "'";
  for (const char* version : {"-tls1_2", "-tls1_3"}) {
    const std::string talk = output_of(client + version + input);
    EXPECT_NE(talk.find("Verify return code: 0 (ok)"), std::string::npos) << talk;
    EXPECT_NE(talk.find("ALPN protocol: http/1.1"), std::string::npos) << talk;
    EXPECT_NE(talk.find("\r\n\r\nhello"), std::string::npos) << talk;
    EXPECT_EQ(talk.find("unexpected eof"), std::string::npos) << talk;
  }
  const std::string old = output_of(client + "-tls1_1 -cipher ALL:@SECLEVEL=0" + input);
  EXPECT_EQ(old.find("hello"), std::string::npos) << old;
}

TEST(RealPrograms, OpensslGetsNoSuiteWithoutForwardSecrecyOrAuthenticatedEncryption) {
  if (!has("openssl")) GTEST_SKIP() << "openssl is not installed";
  const Pki pki;
  HttpTestServer server([](const HttpRequest&) { return answer("hello"); },
                        tls_options(pki.server));
  const std::pair<const char*, bool> rows[] = {
      {"ECDHE-ECDSA-AES128-GCM-SHA256", true}, {"ECDHE-ECDSA-AES256-GCM-SHA384", true},
      {"ECDHE-ECDSA-CHACHA20-POLY1305", true}, {"ECDHE-ECDSA-AES128-SHA", false},
      {"ECDHE-ECDSA-AES128-SHA256", false},    {"ECDHE-ECDSA-AES256-SHA384", false},
      {"ECDHE-ECDSA-AES128-CCM", false},
  };
  for (const auto& [suite, served] : rows) {
    const std::string talk =
        output_of("sh -c 'openssl s_client -connect 127.0.0.1:" + std::to_string(server.port()) +
                  " -tls1_2 -cipher " + suite + ":@SECLEVEL=0 </dev/null 2>&1'");
    EXPECT_EQ(talk.find("Cipher is " + std::string(suite)) != std::string::npos, served) << talk;
  }
}

// openssl s_server on a free port; it prints ACCEPT when it listens.
class OpensslServer {
 public:
  explicit OpensslServer(const std::string& arguments) {
    support::RawListener free_port;
    port_ = free_port.port();
    const std::string command =
        "exec timeout 60 openssl s_server -accept 127.0.0.1:" + std::to_string(port_) +
        " -www -naccept 1 " + arguments + " 2>&1";
    free_port.close();
    pipe_ = popen(command.c_str(), "r");
    std::string seen;
    while (pipe_ != nullptr && seen.find("ACCEPT") == std::string::npos) {
      const int byte = std::fgetc(pipe_);
      if (byte == EOF) break;
      seen.push_back(static_cast<char>(byte));
    }
  }
  ~OpensslServer() {
    if (pipe_ == nullptr) return;
    while (std::fgetc(pipe_) != EOF) {
    }
    pclose(pipe_);
  }
  OpensslServer(const OpensslServer&) = delete;
  OpensslServer& operator=(const OpensslServer&) = delete;
  std::string origin() const { return "https://127.0.0.1:" + std::to_string(port_); }

 private:
  std::uint16_t port_ = 0;
  FILE* pipe_ = nullptr;
};

TEST(RealPrograms, TheClientShowsItsCertificateToOpenssl) {
  if (!has("openssl")) GTEST_SKIP() << "openssl is not installed";
  const Pki pki;
  const Folder folder;
  const auto user = make_server_certificate(pki.authority, {.common_name = "some-user"}).value();
  const std::string arguments = "-cert " + folder.file("server.pem", pki.server.certificate_pem) +
                                " -key " + folder.file("server.key", pki.server.key_pem) +
                                " -CAfile " + folder.file("ca.pem", pki.authority.certificate_pem) +
                                " -Verify 1 -verify_return_error";
  TlsClientOptions tls{.ca_pem = pki.authority.certificate_pem,
                       .certificate_pem = user.certificate_pem,
                       .key_pem = user.key_pem};
  for (const bool shows : {true, false}) {
    const OpensslServer server(arguments);
    if (!shows) tls.certificate_pem.clear();
    const auto client = HttpClient::create({.origin = server.origin(), .tls = tls}).value();
    const auto response = fetch(*client, {}, {}, {});
    EXPECT_EQ(response.has_value(), shows) << (shows ? response.error().message : "");
    if (!response) continue;
    EXPECT_NE(response->body.find("some-user"), std::string::npos);
  }
}

}  // namespace
}  // namespace proxima::net
