// SPDX-License-Identifier: Apache-2.0
#include "cli/console.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace proxima::cli {
namespace {

using File = std::unique_ptr<std::FILE, decltype(&std::fclose)>;

File opened(const char* path) { return {std::fopen(path, "w"), &std::fclose}; }
File temporary() { return {std::tmpfile(), &std::fclose}; }

std::string text_in(const File& file) {
  std::rewind(file.get());
  std::string text(1024, '\0');
  text.resize(std::fread(text.data(), 1, text.size(), file.get()));
  return text;
}

TEST(Console, AnAnswerThatCannotBeWrittenFailsTheCommand) {
  const File out = opened("/dev/full");
  const File err = temporary();
  Console console(out.get(), err.get(), process_environment());
  console.print("an answer\n");
  EXPECT_EQ(console.finish(ExitCode::Answered), ExitCode::Failed);
  EXPECT_EQ(text_in(err), "error: write standard output: No space left on device\n");
}

TEST(Console, PassesBytesOnAsTheyAre) {
  const File out = temporary();
  Console console(out.get(), stderr, process_environment());
  const std::string bytes("\x1f\x8b\0\x1b[31m\xff", 9);
  console.pass_on(bytes);
  EXPECT_EQ(console.finish(ExitCode::Answered), ExitCode::Answered);
  EXPECT_EQ(text_in(out), bytes);
}

TEST(Console, AnAnnouncementThatCannotBeWrittenIsAWarning) {
  const File out = opened("/dev/full");
  const File err = temporary();
  Console console(out.get(), err.get(), process_environment());
  console.announce("status at http://127.0.0.1:10267\n");
  EXPECT_EQ(console.finish(ExitCode::Answered), ExitCode::Answered);
  EXPECT_EQ(text_in(err), "warning: write standard output: No space left on device\n");
}

TEST(Console, AnAnnouncementIsSeenBeforeTheCommandEnds) {
  const File out = temporary();
  Console console(out.get(), stderr, process_environment());
  console.announce("status at http://127.0.0.1:10267\n");
  EXPECT_EQ(text_in(out), "status at http://127.0.0.1:10267\n");
}

}  // namespace
}  // namespace proxima::cli
