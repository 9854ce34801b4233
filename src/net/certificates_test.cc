// SPDX-License-Identifier: Apache-2.0
#include "net/certificates.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/run_program.h"

namespace proxima::net {
namespace {

using std::chrono::hours;

CertificateAndKey authority(const std::string& name = "test authority") {
  return make_authority({.common_name = name}).value();
}

CertificateAndKey certificate(const CertificateAndKey& by, std::vector<std::string> names) {
  return make_server_certificate(by, {.common_name = "server", .names = std::move(names)}).value();
}

TEST(Certificates, CoverTheNamesTheyWereMadeFor) {
  const auto by = authority();
  const auto made = certificate(by, {"localhost", "*.example.com", "127.0.0.1", "fd00::1"});
  struct Row {
    std::vector<std::string> names;
    bool covered;
  };
  const Row rows[] = {
      {{}, true},
      {{"localhost", "127.0.0.1"}, true},
      {{"fd00::1"}, true},
      {{"a.example.com"}, true},
      {{"example.com"}, false},
      {{"a.b.example.com"}, false},
      {{"localhost", "127.0.0.2"}, false},
      {{"server"}, false},  // the common name does not count
  };
  for (const Row& row : rows) {
    EXPECT_EQ(covers(made.certificate_pem, by.certificate_pem, row.names), row.covered)
        << ::testing::PrintToString(row.names);
  }
  EXPECT_FALSE(covers(made.certificate_pem, authority("other").certificate_pem, {}));
  EXPECT_FALSE(covers("garbage", by.certificate_pem, {}));
  EXPECT_FALSE(covers(made.certificate_pem, "garbage", {}));
}

TEST(Certificates, AreValidAsLongAsAsked) {
  const auto made = make_authority({.common_name = "x", .valid_for = hours(48)}).value();
  const auto until = valid_until(made.certificate_pem);
  ASSERT_TRUE(until);
  const auto left = *until - std::chrono::system_clock::now();
  EXPECT_GT(left, hours(47));
  EXPECT_LE(left, hours(48));
  EXPECT_FALSE(valid_until("garbage"));
}

TEST(Certificates, AreNeverTheSame) {
  EXPECT_NE(authority().certificate_pem, authority().certificate_pem);
}

TEST(Certificates, RefuseNamesAndAuthoritiesThatAreNone) {
  const auto by = authority();
  for (const char* name : {"", "a b", "a,DNS:evil.example", "a\nb"}) {
    EXPECT_FALSE(make_server_certificate(by, {.common_name = "x", .names = {name}})) << name;
  }
  EXPECT_FALSE(make_server_certificate({"garbage", "garbage"}, {.common_name = "x"}));
  EXPECT_FALSE(
      make_server_certificate({by.certificate_pem, authority().key_pem}, {.common_name = "x"}));
}

TEST(Certificates, AreAcceptedByOpenssl) {
  if (std::system("openssl version >/dev/null 2>&1") != 0) GTEST_SKIP() << "openssl not installed";
  std::string folder = ::testing::TempDir() + "proxima_certificates_XXXXXX";
  ASSERT_NE(mkdtemp(folder.data()), nullptr);
  const auto by = authority();
  const auto made = certificate(by, {"localhost", "127.0.0.1"});
  std::ofstream(folder + "/ca.pem") << by.certificate_pem;
  std::ofstream(folder + "/server.pem") << made.certificate_pem;
  const std::string verdict =
      test::run_program(
          "openssl verify -x509_strict -purpose sslserver -verify_ip 127.0.0.1 -CAfile " + folder +
          "/ca.pem " + folder + "/server.pem")
          .text;
  EXPECT_NE(verdict.find("server.pem: OK"), std::string::npos) << verdict;
  const std::string text =
      test::run_program("openssl x509 -noout -text -in " + folder + "/server.pem").text;
  EXPECT_NE(text.find("prime256v1"), std::string::npos) << text;
  EXPECT_NE(text.find("DNS:localhost, IP Address:127.0.0.1"), std::string::npos) << text;
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace proxima::net
