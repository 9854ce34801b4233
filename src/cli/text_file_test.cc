// SPDX-License-Identifier: Apache-2.0
#include "cli/text_file.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

#include "cli/log_file.h"
#include "support/temp_folder.h"

namespace proxima::cli {
namespace {

namespace fs = std::filesystem;

TEST(TextFile, IsReplacedAsAWhole) {
  const testing::TempFolder folder;
  const std::string path = folder.write("page.html", "old");
  ASSERT_TRUE(write_text_file(path, "new"));
  EXPECT_EQ(read_text_file(path).value(), "new");
  EXPECT_FALSE(fs::exists(path + ".partial"));
}

TEST(TextFile, IsNeverWrittenThroughALinkAtTheNameOfItsDraft) {
  const testing::TempFolder folder;
  const std::string victim = folder.write("victim", "kept");
  const std::string path = folder.file("page.html");
  fs::create_symlink(victim, path + ".partial");
  ASSERT_TRUE(write_text_file(path, "new"));
  EXPECT_EQ(read_text_file(victim).value(), "kept");
  EXPECT_EQ(read_text_file(path).value(), "new");
  EXPECT_FALSE(fs::is_symlink(path));
}

TEST(TextFile, HasTheModeThatTheUmaskAllows) {
  const testing::TempFolder folder;
  const mode_t before = ::umask(027);
  ASSERT_TRUE(write_text_file(folder.file("page.html"), "text"));
  ::umask(before);
  EXPECT_EQ(fs::status(folder.file("page.html")).permissions(), fs::perms{0640});
}

TEST(TextFile, NamesTheFileThatCannotBeWritten) {
  const testing::TempFolder folder;
  const Status written = write_text_file(folder.file("missing/page.html"), "text");
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().message,
            "write " + folder.file("missing/page.html") + ": No such file or directory");
}

TEST(NewFile, IsForItsOwnerAlone) {
  const testing::TempFolder folder;
  const mode_t before = ::umask(0);
  ASSERT_TRUE(write_new_file(folder.file("dump.tar.gz"), std::string("\0\x1b", 2)));
  ::umask(before);
  EXPECT_EQ(read_text_file(folder.file("dump.tar.gz")).value(), std::string("\0\x1b", 2));
  EXPECT_EQ(fs::status(folder.file("dump.tar.gz")).permissions(), fs::perms{0600});
}

TEST(NewFile, OverwritesNothingAndFollowsNoLink) {
  const testing::TempFolder folder;
  const std::string there = folder.write("there", "kept");
  fs::create_symlink(folder.file("nowhere"), folder.file("link"));
  for (const char* name : {"there", "link"}) {
    const Status written = write_new_file(folder.file(name), "text");
    ASSERT_FALSE(written) << name;
    EXPECT_EQ(written.error().message, "write " + folder.file(name) + ": File exists");
  }
  EXPECT_EQ(read_text_file(there).value(), "kept");
  EXPECT_FALSE(fs::exists(folder.file("nowhere")));
}

TEST(LogFile, IsNotALink) {
  const testing::TempFolder folder;
  fs::create_symlink(folder.write("victim", "kept"), folder.file("up.log"));
  EXPECT_FALSE(LogFile::open(folder.file("up.log")));
  EXPECT_EQ(read_text_file(folder.file("victim")).value(), "kept");
}

}  // namespace
}  // namespace proxima::cli
