// SPDX-License-Identifier: Apache-2.0
#include "cli/run_place.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "support/temp_folder.h"

namespace proxima::cli {
namespace {

namespace fs = std::filesystem;

const RunFile kRun = {.process = 42,
                      .url = "http://127.0.0.1:8080",
                      .token = "secret-of-the-page",
                      .kubeconfig = "/there/kubeconfig"};

Environment environment(std::map<std::string, std::string> values) {
  return [values = std::move(values)](const char* name) -> std::optional<std::string> {
    const auto found = values.find(name);
    if (found == values.end()) return std::nullopt;
    return found->second;
  };
}

TEST(StateFolder, IsWhereTheUserKeepsState) {
  EXPECT_EQ(state_folder(environment({{"XDG_STATE_HOME", "/s"}, {"HOME", "/h"}})), "/s/proxima");
  EXPECT_EQ(state_folder(environment({{"XDG_STATE_HOME", "relative"}, {"HOME", "/h"}})),
            "/h/.local/state/proxima");
  EXPECT_TRUE(fs::path(state_folder(environment({}))).is_absolute());
}

TEST(RunFile, IsReadAsItWasWritten) {
  const auto run = parse_run_file(render_run_file(kRun));
  ASSERT_TRUE(run);
  EXPECT_EQ(run->process, 42);
  EXPECT_EQ(run->url, kRun.url);
  EXPECT_EQ(run->token, kRun.token);
  EXPECT_EQ(run->kubeconfig, kRun.kubeconfig);
  for (const char* text : {"", "[]", "{}", "{\"url\": 1}", "{"})
    EXPECT_FALSE(parse_run_file(text)) << text;
}

TEST(RunPlace, IsFoundWhileItIsHeldAndGoneAfterwards) {
  const proxima::testing::TempFolder folder;
  const std::string state = folder.file("state");
  {
    const auto place = RunPlace::take(state, "");
    ASSERT_TRUE(place) << place.error().message;
    EXPECT_EQ(find_run(state, "").error().code, ErrorCode::Retry);  // it is still starting
    ASSERT_TRUE(place->publish(kRun));
    struct stat facts = {};
    ASSERT_EQ(stat((place->data() + "/run.json").c_str(), &facts), 0);
    EXPECT_EQ(facts.st_mode & 0777U, 0600U);
    const auto found = find_run(state, "");
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found->token, kRun.token);
  }
  EXPECT_EQ(find_run(state, "").error().code, ErrorCode::NotFound);
  EXPECT_FALSE(fs::exists(state + "/lab"));
}

TEST(RunPlace, ASecondOneIsToldWhereTheFirstIsWithoutItsToken) {
  const proxima::testing::TempFolder folder;
  const std::string state = folder.file("state");
  const auto place = RunPlace::take(state, "");
  ASSERT_TRUE(place);
  ASSERT_TRUE(place->publish(kRun));
  const auto second = RunPlace::take(state, folder.file("elsewhere"));
  ASSERT_FALSE(second);
  EXPECT_NE(second.error().message.find("process 42"), std::string::npos);
  EXPECT_NE(second.error().message.find(kRun.url), std::string::npos);
  EXPECT_EQ(second.error().message.find(kRun.token), std::string::npos);
}

TEST(RunPlace, AnotherUsersLabInTheSameDirectoryIsNoticed) {
  const proxima::testing::TempFolder folder;
  const std::string data = folder.file("data");
  const auto place = RunPlace::take(folder.file("one"), data);
  ASSERT_TRUE(place);
  const auto second = RunPlace::take(folder.file("two"), data);
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, ErrorCode::Conflict);
}

TEST(RunPlace, KeepsADirectoryThatWasAskedForButNotItsRunFile) {
  const proxima::testing::TempFolder folder;
  const std::string data = folder.file("data");
  {
    const auto place = RunPlace::take(folder.file("state"), data);
    ASSERT_TRUE(place);
    ASSERT_TRUE(place->publish(kRun));
    std::ofstream(data + "/proxima.db") << "kept";
  }
  EXPECT_TRUE(fs::exists(data + "/proxima.db"));
  EXPECT_FALSE(fs::exists(data + "/run.json"));
}

// A lab that was killed lets go of its locks and removes nothing.
TEST(RunPlace, SweepsWhatAKilledLabLeft) {
  const proxima::testing::TempFolder folder;
  const std::string state = folder.file("state");
  fs::create_directories(state + "/lab/pki");
  std::ofstream(state + "/up.lock") << state << "/lab\n";
  std::ofstream(state + "/lab/up.lock") << "";
  std::ofstream(state + "/lab/run.json") << render_run_file(kRun);
  const auto stale = find_run(state, "");
  ASSERT_FALSE(stale);
  EXPECT_NE(stale.error().message.find("was killed"), std::string::npos) << stale.error().message;
  const auto place = RunPlace::take(state, "");
  ASSERT_TRUE(place) << place.error().message;
  EXPECT_FALSE(fs::exists(state + "/lab/pki"));
  EXPECT_FALSE(fs::exists(state + "/lab/run.json"));
}

// Where nobody has a home, the folder is in /tmp, and its name can be guessed.
TEST(RunPlace, FollowsNoLinkAndTrustsNoFolderOfAnotherUser) {
  const proxima::testing::TempFolder folder;
  const std::string state = folder.file("state");
  fs::create_directories(state);
  std::ofstream(folder.file("victim")) << "precious";
  fs::create_symlink(folder.file("victim"), state + "/up.lock");
  const auto place = RunPlace::take(state, "");
  ASSERT_FALSE(place);
  EXPECT_NE(place.error().message.find("up.lock: is a symbolic link"), std::string::npos)
      << place.error().message;
  EXPECT_EQ(fs::file_size(folder.file("victim")), 8U);

  // Only root can give a folder away.
  if (chown(state.c_str(), 12345, 12345) != 0) return;
  for (const std::string& message :
       {RunPlace::take(state, "").error().message, find_run(state, "").error().message})
    EXPECT_NE(message.find("belongs to another user"), std::string::npos) << message;
}

}  // namespace
}  // namespace proxima::cli
