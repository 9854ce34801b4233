// SPDX-License-Identifier: Apache-2.0
#include "cli/file_guard.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <future>

#include "support/fake_clock.h"
#include "support/temp_folder.h"

namespace proxima::cli {
namespace {

TEST(FileGuard, CallsOnceWhenTheFileIsAnother) {
  const testing::TempFolder folder;
  const std::string path = folder.write("config", "a");
  testing::FakeClock clock;
  std::promise<void> called;
  int waits = 0;
  clock.during_wait([&] {
    if (++waits == 3) folder.write("config", "ab");
  });
  const FileGuard guard(path, file_mark(path), clock, [&] { called.set_value(); });
  called.get_future().wait();
  EXPECT_GE(clock.waits().size(), 3U);
}

TEST(FileGuard, FollowsLinksToFoldersThatAreReplaced) {
  const testing::TempFolder folder;
  folder.write("one/config", "same");
  folder.write("two/config", "same");
  std::filesystem::create_directory_symlink(folder.file("one"), folder.file("data"));
  const std::string before = file_mark(folder.file("data/config"));
  std::filesystem::remove(folder.file("data"));
  std::filesystem::create_directory_symlink(folder.file("two"), folder.file("data"));
  EXPECT_NE(file_mark(folder.file("data/config")), before);
}

TEST(FileGuard, IsQuietWhenNothingHappens) {
  const testing::TempFolder folder;
  const std::string path = folder.write("config", "a");
  SystemClock clock;
  bool called = false;
  {
    const FileGuard guard(path, file_mark(path), clock, [&] { called = true; });
  }
  EXPECT_FALSE(called);
}

}  // namespace
}  // namespace proxima::cli
