// SPDX-License-Identifier: Apache-2.0
#include "base/utf8.h"

#include <gtest/gtest.h>

namespace proxima {
namespace {

TEST(Utf8, ReplacesWhatIsNoText) {
  struct Row {
    const char* name;
    std::string_view given;
    std::string_view good;
  };
  const Row rows[] = {
      {"plain text stays", "zone-a", "zone-a"},
      {"control characters stay", "a\nb", "a\nb"},
      {"long characters stay", "z\xC3\xBCrich \xF0\x9F\x98\x80", "z\xC3\xBCrich \xF0\x9F\x98\x80"},
      {"a byte that begins nothing", "a\nb\xFF", "a\nb\xEF\xBF\xBD"},
      {"a character that is cut off", "a\xC3", "a\xEF\xBF\xBD"},
      {"a long way to write a short one", "\xC0\xAF", "\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"half of a pair", "\xED\xA0\x80", "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"nothing", "", ""},
  };
  for (const Row& row : rows) EXPECT_EQ(valid_utf8(row.given), row.good) << row.name;
}

TEST(Utf8, TellsTheCharacterAndItsLength) {
  const Utf8Character character = decode_utf8("\xC3\xBC!");
  EXPECT_TRUE(character.valid);
  EXPECT_EQ(character.point, U'\u00FC');
  EXPECT_EQ(character.bytes, 2U);
}

}  // namespace
}  // namespace proxima
