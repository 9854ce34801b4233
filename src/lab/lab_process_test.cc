// SPDX-License-Identifier: Apache-2.0
// Real processes.
#include "lab/lab_process.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "support/lab_probes.h"
#include "support/temp_folder.h"

namespace proxima::lab {
namespace {

constexpr std::chrono::seconds kPatience{20};

class LabProcessesTest : public ::testing::Test {
 protected:
  ChildProgram shell(const std::string& script) const {
    return {.words = {"/bin/sh", "-c", script}, .at = nullptr, .log_file = log_file()};
  }
  std::string log_file() const { return folder_.path() + "/log"; }
  std::string log() const {
    std::ostringstream text;
    text << std::ifstream(log_file()).rdbuf();
    return text.str();
  }
  // The log once it has `lines` lines.
  std::string log_of(std::size_t lines) const {
    const auto deadline = std::chrono::steady_clock::now() + kPatience;
    std::string text;
    while (std::chrono::steady_clock::now() < deadline) {
      text = log();
      if (static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')) >= lines) break;
      poll(nullptr, 0, 5);
    }
    return text;
  }

  const proxima::testing::TempFolder folder_;
  std::unique_ptr<LabProcesses> processes_ = LabProcesses::create().value();
};

TEST_F(LabProcessesTest, WhatItPrintsIsInItsLogAndHowItEndedIsKnown) {
  const auto process = processes_->start(shell("echo out; echo err >&2; exit 3"));
  ASSERT_TRUE(process) << process.error().message;
  ASSERT_TRUE((*process)->wait(kPatience));
  EXPECT_FALSE((*process)->alive());
  EXPECT_EQ((*process)->end(), "exit code 3");
  EXPECT_EQ(log(), "out\nerr\n");
  struct stat file {};
  ASSERT_EQ(stat(log_file().c_str(), &file), 0);
  EXPECT_EQ(file.st_mode & 0777U, 0600U);
}

TEST_F(LabProcessesTest, ItsLogIsNotALink) {
  std::filesystem::create_symlink(folder_.write("victim", "kept"), log_file());
  EXPECT_FALSE(processes_->start(shell("echo out")));
  EXPECT_EQ(log(), "kept");
}

TEST_F(LabProcessesTest, AProgramThatCannotBeStartedIsAnError) {
  const auto process =
      processes_->start({.words = {"/nowhere/program"}, .at = nullptr, .log_file = log_file()});
  ASSERT_FALSE(process);
  EXPECT_EQ(process.error().message,
            "child process: start /nowhere/program: execute: No such file or directory");
  EXPECT_FALSE(processes_->start({.words = {}, .at = nullptr, .log_file = log_file()}));
  EXPECT_FALSE(processes_->start(
      {.words = {"/bin/true"}, .at = nullptr, .log_file = folder_.path() + "/no/such"}));
}

TEST_F(LabProcessesTest, StopLetsItEndByItself) {
  const auto process =
      processes_->start(shell("trap 'exit 7' TERM; echo ready; while :; do sleep 0.01; done"));
  ASSERT_EQ(log_of(1), "ready\n");
  (*process)->stop(kPatience);
  EXPECT_EQ((*process)->end(), "exit code 7");
}

TEST_F(LabProcessesTest, StopKillsWhatDoesNotListen) {
  const auto process = processes_->start(shell("trap '' TERM; echo ready; sleep 1000"));
  ASSERT_EQ(log_of(1), "ready\n");
  (*process)->stop(std::chrono::milliseconds(50));
  EXPECT_EQ((*process)->end(), "signal 9 (Killed)");
  (*process)->stop(std::chrono::milliseconds(50));
}

TEST_F(LabProcessesTest, WhatItStartedGoesWithIt) {
  const auto process = processes_->start(shell("sleep 1000 & echo $!; wait"));
  const pid_t grandchild = std::stoi(log_of(1));
  (*process)->kill();
  ASSERT_TRUE((*process)->wait(kPatience));
  EXPECT_TRUE(test::gone_within(grandchild, kPatience));
}

TEST_F(LabProcessesTest, AllGoWithTheirOwner) {
  const auto process = processes_->start(shell("echo ready; sleep 1000"));
  ASSERT_EQ(log_of(1), "ready\n");
  processes_.reset();
  EXPECT_EQ((*process)->end(), "signal 9 (Killed)");
}

TEST_F(LabProcessesTest, AnEndIsToldAndTheNextCanBeStartedThere) {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<std::string> ends;
  const auto note = [&](const std::string& how) {
    const std::lock_guard guard(mutex);
    ends.push_back(how);
    changed.notify_all();
  };
  const auto process = processes_->start(shell("exit 1"), [&](const std::string& how) {
    note(how);
    EXPECT_TRUE(processes_->start(shell("exit 2"), note));
  });
  ASSERT_TRUE(process);
  std::unique_lock lock(mutex);
  ASSERT_TRUE(changed.wait_for(lock, kPatience, [&] { return ends.size() == 2; }));
  EXPECT_EQ(ends, (std::vector<std::string>{"exit code 1", "exit code 2"}));
}

// The thread that asks may end at any time; the child must not end with it.
TEST_F(LabProcessesTest, OutlivesTheThreadThatAskedForIt) {
  std::shared_ptr<LabProcess> process;
  std::thread([&] { process = processes_->start(shell("echo ready; sleep 1000")).value(); }).join();
  ASSERT_EQ(log_of(1), "ready\n");
  EXPECT_FALSE(process->wait(std::chrono::milliseconds(50)));
}

TEST_F(LabProcessesTest, RunsInsideTheNamespaceAndInheritsNothingElse) {
  auto made = NetworkNamespace::create();
  if (test::refused_here(made)) return;
  const auto at = std::make_shared<const NetworkNamespace>(std::move(made).value());
  ChildProgram program = shell("stat -Lc %i /proc/self/ns/net; ls /proc/self/fd | wc -l");
  program.at = at;
  struct stat inside {};
  ASSERT_EQ(stat(at->file().c_str(), &inside), 0);
  const auto process = processes_->start(program);
  ASSERT_TRUE(process) << process.error().message;
  ASSERT_TRUE((*process)->wait(kPatience));
  // 0, 1, 2, and the one that ls reads the folder by.
  EXPECT_EQ(log(), std::to_string(inside.st_ino) + "\n4\n");
}

// A lab that is killed cannot take anything away itself.
TEST_F(LabProcessesTest, EndsWithAnOwnerThatIsKilled) {
  processes_.reset();
  const pid_t owner = fork();
  if (owner == 0) {
    const auto processes = LabProcesses::create();
    const auto process = (*processes)->start(shell("echo $$; sleep 1000"));
    while (true) pause();
  }
  const pid_t child = std::stoi(log_of(1));
  ASSERT_EQ(kill(owner, SIGKILL), 0);
  EXPECT_TRUE(test::gone_within(child, kPatience));
  EXPECT_EQ(waitpid(owner, nullptr, 0), owner);
}

}  // namespace
}  // namespace proxima::lab
