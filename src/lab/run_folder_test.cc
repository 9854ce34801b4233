// SPDX-License-Identifier: Apache-2.0
#include "lab/run_folder.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include "lab/lab_network.h"
#include "lab/lab_process.h"
#include "support/lab_probes.h"
#include "support/temp_folder.h"

namespace proxima::lab {
namespace {

TEST(Sweep, RemovesWhatNobodyClaimsAndNothingElse) {
  const proxima::testing::TempFolder folder;
  const std::string at = folder.path();
  const auto claim = RunClaim::take(at, "alive");
  ASSERT_TRUE(claim);
  for (const char* name : {"px-dead.claim", "px-dead-node-1", "px-alive-node-1", "stranger"})
    std::ofstream(at + "/" + name) << "";
  EXPECT_EQ(sweep(at).value(), 1U);
  EXPECT_FALSE(std::filesystem::exists(at + "/px-dead-node-1"));
  EXPECT_FALSE(std::filesystem::exists(at + "/px-dead.claim"));
  EXPECT_TRUE(std::filesystem::exists(at + "/px-alive-node-1"));
  EXPECT_TRUE(std::filesystem::exists(at + "/stranger"));
}

TEST(Sweep, DoesNotWaitForAPipeThatStandsForAClaim) {
  const proxima::testing::TempFolder folder;
  ASSERT_EQ(::mkfifo((folder.path() + "/px-dead.claim").c_str(), 0600), 0);
  EXPECT_EQ(sweep(folder.path()).value(), 0U);
}

TEST(Sweep, DoesNotTakeALinkForAClaim) {
  const proxima::testing::TempFolder folder;
  const proxima::testing::TempFolder elsewhere;
  std::ofstream(elsewhere.path() + "/claimed") << "";
  std::ofstream(folder.path() + "/px-dead-node-1") << "";
  std::filesystem::create_symlink(elsewhere.path() + "/claimed", folder.path() + "/px-dead.claim");
  EXPECT_EQ(sweep(folder.path()).value(), 0U);
  EXPECT_TRUE(std::filesystem::exists(folder.path() + "/px-dead-node-1"));
}

TEST(OwnNamespaceFolder, IsForItsUserAlone) {
  const proxima::testing::TempFolder folder;
  const auto made = own_namespace_folder(folder.path());
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(std::filesystem::status(*made).permissions(), std::filesystem::perms::owner_all);
  EXPECT_EQ(own_namespace_folder(folder.path()).value(), *made);
}

TEST(OwnNamespaceFolder, IsNotALinkNorAFolderThatOthersCanWrite) {
  const proxima::testing::TempFolder folder;
  const proxima::testing::TempFolder elsewhere;
  const std::string own = folder.path() + "/px-netns-" + std::to_string(getuid());
  std::filesystem::create_directory_symlink(elsewhere.path(), own);
  EXPECT_FALSE(own_namespace_folder(folder.path()));
  std::filesystem::remove(own);
  std::filesystem::create_directory(own);
  std::filesystem::permissions(own, std::filesystem::perms::all);
  EXPECT_FALSE(own_namespace_folder(folder.path()));
}

TEST(Sweep, DoesNotFollowLinks) {
  const proxima::testing::TempFolder folder;
  const proxima::testing::TempFolder elsewhere;
  std::ofstream(elsewhere.path() + "/kept") << "";
  std::ofstream(folder.path() + "/px-dead.claim") << "";
  std::filesystem::create_directory_symlink(elsewhere.path(), folder.path() + "/px-dead-link");
  EXPECT_EQ(sweep(folder.path()).value(), 1U);
  EXPECT_TRUE(std::filesystem::exists(elsewhere.path() + "/kept"));
}

// A run that is killed with all it has: names of namespaces, a folder of logs, a process inside.
TEST(Sweep, NothingIsLeftOfARunThatWasKilled) {
  const proxima::testing::TempFolder folder;
  const proxima::testing::TempFolder words;
  const std::string at = folder.path();
  const pid_t owner = fork();
  if (owner == 0) {
    auto claim = RunClaim::take(at, "dead");
    const std::string logs = claim->make_folder("logs").value();
    std::ofstream(logs + "/node-1.log") << "words";
    const auto named = NetworkNamespace::create(claim->file_of("node-1"));
    const auto network = LabNetwork::create();
    const auto processes = LabProcesses::create();
    ChildProgram program{.words = {"/bin/sleep", "1000"}, .at = nullptr, .log_file = logs + "/log"};
    if (network) program.at = *network->host("router");
    const auto process = (*processes)->start(program);
    std::ofstream(words.path() + "/begun") << (*process)->pid() << (named ? " named" : " plain");
    std::filesystem::rename(words.path() + "/begun", words.path() + "/ready");
    while (true) pause();
  }
  for (int i = 0; i < 4000 && !std::filesystem::exists(words.path() + "/ready"); ++i)
    poll(nullptr, 0, 5);
  ASSERT_EQ(kill(owner, SIGKILL), 0);
  ASSERT_EQ(waitpid(owner, nullptr, 0), owner);
  pid_t child = 0;
  std::string how;
  std::ifstream(words.path() + "/ready") >> child >> how;
  ASSERT_GT(child, 0);
  const std::size_t left = how == "named" ? 2U : 1U;
  EXPECT_EQ(sweep(at).value(), left);
  EXPECT_TRUE(std::filesystem::is_empty(at));
  // The system ends it: nobody else is there to do so.
  EXPECT_TRUE(test::gone_within(child, std::chrono::seconds(20)));
}

TEST(RunClaim, ItsFoldersGoWithIt) {
  const proxima::testing::TempFolder folder;
  {
    auto claim = RunClaim::take(folder.path(), "r1");
    const auto logs = claim->make_folder("logs");
    ASSERT_TRUE(logs) << logs.error().message;
    std::ofstream(*logs + "/log") << "words";
    EXPECT_EQ(std::filesystem::status(*logs).permissions(), std::filesystem::perms::owner_all);
    EXPECT_FALSE(claim->make_folder("logs"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(RunClaim, IsExclusiveAndPlainlyNamed) {
  const proxima::testing::TempFolder folder;
  const auto first = RunClaim::take(folder.path(), "r1");
  ASSERT_TRUE(first);
  EXPECT_FALSE(RunClaim::take(folder.path(), "r1"));
  EXPECT_EQ(RunClaim::take(folder.path(), "../r1").error().code, ErrorCode::InvalidInput);
}

}  // namespace
}  // namespace proxima::lab
