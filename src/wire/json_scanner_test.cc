// SPDX-License-Identifier: Apache-2.0
#include "wire/json_scanner.h"

#include <gtest/gtest.h>

#include <string>

#include "base/split_mix.h"
#include "wire/padded_text.h"

namespace proxima::wire {
namespace {

constexpr std::size_t npos = std::string_view::npos;

std::size_t end_in(const std::string& text) {
  const PaddedText padded(text);
  return end_of_container(padded.text(), 0);
}

TEST(JsonScanner, FindsTheEndOfAContainer) {
  const std::string blanks(70, ' ');
  const struct {
    const char* name;
    std::string text;
    std::size_t end;
  } cases[] = {
      {"an empty object", "{}", 2},
      {"what follows does not matter", "{} {", 2},
      {"nested", "{\"a\":[{}]}x", 10},
      {"brackets in strings do not count", "{\"}\":\"]\"}", 9},
      {"an escaped quote does not end a string", R"({"a":"\"}"})", 11},
      {"an escaped backslash does", R"({"a":"\\"}})", 10},
      {"far away", "{" + blanks + "}", 72},
      {"a string across blocks", "{\"" + blanks + "}\"}", 75},
      {"an escape across blocks", "{\"" + std::string(61, 'x') + "\\\"}\"}", 68},
      {"it never ends", "{\"a\":[}", npos},
      {"it ends inside a string", "{\"a}", npos},
      {"the padding is not part of it", "{", npos},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(end_in(c.text), c.end);
    const PaddedText padded(c.text);
    EXPECT_EQ(end_of_container_bytewise(padded.text(), 0), c.end);
  }
}

TEST(JsonScanner, AgreesWithTheBytewiseScanOnRandomTexts) {
  constexpr std::string_view kLetters = "{}[]\"\\ax ";
  for (std::uint64_t round = 0; round < 20'000; ++round) {
    SplitMix random(round);
    std::string text = "{";
    // Backslashes stand only in strings in JSON; elsewhere the two may differ, and the parser
    // refuses both.
    bool in_string = false;
    for (std::size_t size = random.below(200); size > 0; --size) {
      char c = kLetters[random.below(kLetters.size())];
      if (c == '\\' && !in_string) c = 'a';
      if (c == '"') in_string = !in_string;
      text += c;
      if (c == '\\') text += kLetters[random.below(kLetters.size())];
    }
    const PaddedText padded(text);
    ASSERT_EQ(end_of_container(padded.text(), 0), end_of_container_bytewise(padded.text(), 0))
        << text;
  }
}

TEST(JsonScanner, FindsTheEndOfAnyValue) {
  const PaddedText padded("12, \"a,b\" [1] true");
  const std::string_view text = padded.text();
  EXPECT_EQ(end_of_value(text, 0), 2U);
  EXPECT_EQ(end_of_value(text, 4), 9U);
  EXPECT_EQ(end_of_value(text, 10), 13U);
  EXPECT_EQ(end_of_value(text, 14), text.size());
  EXPECT_EQ(end_of_value(text, text.size()), npos);
}

}  // namespace
}  // namespace proxima::wire
