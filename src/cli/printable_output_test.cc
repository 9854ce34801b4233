// SPDX-License-Identifier: Apache-2.0
#include "cli/printable_output.h"

#include <gtest/gtest.h>

#include <cstdio>

#include "cli/console.h"

namespace proxima::cli {
namespace {

#define BAD "\xEF\xBF\xBD"

const struct {
  const char* name;
  std::string text;
  std::string shown;
} kOutputs[] = {
    {"lines and tabs stay", "NAME\tZONE\ncart\ta\n", "NAME\tZONE\ncart\ta\n"},
    {"UTF-8 stays", "süß 東京 🚀…", "süß 東京 🚀…"},
    {"the colours of the program stay", paint("cart", Tone::Strong, Coloring::On) + " ok",
     "\x1b[1mcart\x1b[0m ok"},
    {"clearing the screen does not pass", "a\x1b[2Jb", "a" BAD "[2Jb"},
    {"a colour that the program does not use does not pass", "\x1b[41mx", BAD "[41mx"},
    {"setting the title does not pass", "\x1b]0;pwned\x07", BAD "]0;pwned" BAD},
    {"C1 controls do not pass, being escape sequences to some terminals",
     "a\xC2\x9B"
     "2Jb",
     "a" BAD "2Jb"},
    {"a bare C1 byte does not pass",
     "a\x9B"
     "2Jb",
     "a" BAD "2Jb"},
    {"a carriage return does not overwrite the line", "safe\rEVIL", "safe" BAD "EVIL"},
    {"backspace and delete do not pass", "ab\b\x7f", "ab" BAD BAD},
    {"a byte of 0 does not pass", std::string("a\0b", 3), "a" BAD "b"},
    {"half an escape at the end does not pass", "x\x1b", "x" BAD},
};

TEST(PrintableOutput, LetsOnlyTheProgramSteerTheTerminal) {
  for (const auto& row : kOutputs) EXPECT_EQ(printable_output(row.text), row.shown) << row.name;
}

TEST(PrintableOutput, StandardOutputPassesThroughIt) {
  for (const auto& row : kOutputs) {
    std::FILE* out = std::tmpfile();
    ASSERT_NE(out, nullptr);
    Console console(out, stderr, process_environment());
    console.print(row.text);
    EXPECT_EQ(console.finish(ExitCode::Answered), ExitCode::Answered);
    std::rewind(out);
    std::string written(256, '\0');
    written.resize(std::fread(written.data(), 1, written.size(), out));
    EXPECT_EQ(written, row.shown) << row.name;
    std::fclose(out);
  }
}

#undef BAD

}  // namespace
}  // namespace proxima::cli
