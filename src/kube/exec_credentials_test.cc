// SPDX-License-Identifier: Apache-2.0
#include "kube/exec_credentials.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "kube/run_program.h"
#include "support/fake_clock.h"
#include "support/temp_folder.h"

namespace proxima::kube {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using testing::FakeClock;
using testing::TempFolder;

constexpr const char* kV1 = "client.authentication.k8s.io/v1";

struct AnswerRow {
  const char* text;
  const char* message;  // empty: accepted
};
constexpr AnswerRow kAnswers[] = {
    {R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"t"}})",
     ""},
    {R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"clientCertificateData":"C","clientKeyData":"K"}})",
     ""},
    {"s3cret", "decoding stdout: not a JSON object"},
    {R"({"kind":"Pod"})", "decoding stdout: kind: not ExecCredential"},
    {R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1beta1","status":{"token":"s3cret"}})",
     "exec plugin is configured to use API version client.authentication.k8s.io/v1, plugin "
     "returned "
     "another version"},
    {R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1"})",
     "exec plugin didn't return a status field"},
    {R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{}})",
     "exec plugin didn't return a token or cert/key pair"},
    {R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"clientKeyData":"s3cret"}})",
     "exec plugin returned only certificate or key, not both"},
    {R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1","status":{"token":"t","expirationTimestamp":"soon"}})",
     "exec plugin: status.expirationTimestamp: not a time as RFC 3339 writes it"},
};

TEST(ExecAnswer, IsCheckedAsClientGoDoes) {
  for (const AnswerRow& row : kAnswers) {
    const auto answer = parse_exec_answer(row.text, kV1);
    EXPECT_EQ(answer ? "" : answer.error().message, row.message);
  }
}

TEST(ExecInfo, TellsAboutTheClusterWhenAsked) {
  ExecEntry exec{.api_version = kV1, .command = "x"};
  ClusterEntry cluster{.server = "https://s", .exec_config = R"({"a":1})"};
  EXPECT_EQ(exec_info(exec, cluster, "CA", false),
            R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",)"
            R"("spec":{"interactive":false}})");
  exec.provide_cluster_info = true;
  EXPECT_EQ(exec_info(exec, cluster, "CA", true),
            R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",)"
            R"("spec":{"cluster":{"server":"https://s","certificate-authority-data":"Q0E=",)"
            R"("config":{"a":1}},"interactive":true}})");
}

// A plugin that counts its runs and answers with the count.
struct PluginWorld {
  explicit PluginWorld(const std::string& expires = "") {
    const std::string expiry =
        expires.empty() ? "" : R"(,\"expirationTimestamp\":\")" + expires + R"(\")";
    exec.command = folder.write_program(
        "plugin", "#!/bin/sh\necho run >>" + folder.file("runs") + "\n" + "n=$(wc -l <" +
                      folder.file("runs") + ")\n" + "echo \"$KUBERNETES_EXEC_INFO $A $1\" >" +
                      folder.file("seen") + "\n" +
                      R"(echo "{\"kind\":\"ExecCredential\",\"apiVersion\":\")" + kV1 +
                      R"(\",\"status\":{\"token\":\"t$n\")" + expiry + R"(}}")" + "\n");
    exec.api_version = kV1;
    exec.arguments = {"--now"};
    exec.environment = {{"A", "value of A"}};
    exec.interactive_mode = InteractiveMode::Never;
  }
  std::unique_ptr<CredentialSource> source() {
    Connection connection;
    connection.user.exec = exec;
    return make_credential_source(connection, {{"PATH", "/usr/bin:/bin"}, {"A", "overwritten"}},
                                  clock);
  }
  std::string token(CredentialSource& from) {
    const auto credentials = from.current({});
    return credentials ? credentials->authorization : credentials.error().message;
  }
  std::string seen() {
    std::string line;
    std::ifstream stream(folder.file("seen"));
    std::getline(stream, line);
    return line;
  }
  FakeClock clock;
  TempFolder folder;
  ExecEntry exec;
};

TEST(ExecCredentials, AreKeptUntilTheyAreRefused) {
  PluginWorld world;
  const auto source = world.source();
  EXPECT_EQ(world.token(*source), "Bearer t1");
  EXPECT_EQ(world.token(*source), "Bearer t1");
  EXPECT_EQ(world.seen(),
            R"({"kind":"ExecCredential","apiVersion":"client.authentication.k8s.io/v1",)"
            R"("spec":{"interactive":false}} value of A --now)");
  source->refuse(Credentials{"Bearer t0", "", ""});  // somebody refused older ones
  EXPECT_EQ(world.token(*source), "Bearer t1");
  source->refuse(Credentials{"Bearer t1", "", ""});
  EXPECT_EQ(world.token(*source), "Bearer t2");
}

TEST(ExecCredentials, AreFetchedAgainWhenTheyExpire) {
  PluginWorld world("2026-03-01T02:00:00Z");  // the fake clock begins at 01:00
  const auto source = world.source();
  EXPECT_EQ(world.token(*source), "Bearer t1");
  world.clock.advance(seconds(3599));
  EXPECT_EQ(world.token(*source), "Bearer t1");
  world.clock.advance(seconds(2));
  EXPECT_EQ(world.token(*source), "Bearer t2");
}

TEST(ExecCredentials, AMissingProgramGivesItsHint) {
  PluginWorld world;
  world.exec.command = "no-such-login-program";
  world.exec.install_hint = "install \x1b[1mit";
  EXPECT_EQ(
      world.token(*world.source()),
      "getting credentials: exec: executable no-such-login-program not found\n\ninstall [1mit");
}

TEST(ExecCredentials, AFailingProgramIsNamedAndNotQuoted) {
  PluginWorld world;
  world.exec.command = world.folder.write_program("fails", "#!/bin/sh\necho s3cret\nexit 3\n");
  EXPECT_EQ(world.token(*world.source()), "getting credentials: exec: executable " +
                                              world.exec.command + " failed with exit code 3");
}

TEST(RunProgram, IsBoundedInTime) {
  Program program{"sleep", {"60"}, {{"PATH", "/usr/bin:/bin"}}};
  program.timeout = milliseconds(50);
  const auto result = run_program(program, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "exec: executable sleep did not finish in time");
}

TEST(RunProgram, IsBoundedInSize) {
  Program program{"cat", {"/dev/zero"}, {{"PATH", "/usr/bin:/bin"}}};
  program.max_output = 100'000;
  const auto result = run_program(program, {});
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "exec: executable cat printed too much");
}

TEST(RunProgram, EndsWhenCancelled) {
  const net::Cancellation cancellation;
  std::thread canceller([&] { cancellation.cancel(); });
  const auto result = run_program({"sleep", {"60"}, {{"PATH", "/usr/bin:/bin"}}}, cancellation);
  canceller.join();
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().message, "exec: executable sleep was cancelled");
}

TEST(RunProgram, TakesAllOutputAndTheExitCode) {
  const auto result = run_program(
      {"sh", {"-c", "head -c 300000 /dev/zero; exit 7"}, {{"PATH", "/usr/bin:/bin"}}}, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->output.size(), 300'000U);
  EXPECT_EQ(result->exit_code, 7);
  const auto killed = run_program({"sh", {"-c", "kill -9 $$"}, {{"PATH", "/usr/bin:/bin"}}}, {});
  EXPECT_EQ(killed->exit_code, 137);
}

TEST(RunProgram, DoesNotWaitForAGrandchildThatKeepsThePipe) {
  Program program{"sh", {"-c", "sleep 3 & echo done"}, {{"PATH", "/usr/bin:/bin"}}};
  program.timeout = seconds(60);
  const auto result = run_program(program, {});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->output, "done\n");
}

}  // namespace
}  // namespace proxima::kube
