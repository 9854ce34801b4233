// SPDX-License-Identifier: Apache-2.0
#include "base/json_values.h"

#include <gtest/gtest.h>

namespace proxima {
namespace {

TEST(JsonValues, AreCountedWithoutParsing) {
  const struct {
    const char* name;
    const char* text;
    std::size_t at_most;
  } cases[] = {
      {"a scalar", "1", 1},
      {"an object and its members", R"({"a":1,"b":2})", 3},
      {"a list and its items", "[1,2,3]", 4},
      {"an empty list counts for two", "[]", 2},
      {"texts hide what is in them", R"(["a,b[{",2])", 3},
      {"a quote may be escaped", R"(["\",[",2])", 3},
      {"so may the character that escapes", R"(["\\",[1]])", 4},
      {"a text without an end", R"(["abc)", 2},
      {"an escape at the end", "[\"abc\\", 2},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(json_values_at_most(c.text), c.at_most);
  }
}

}  // namespace
}  // namespace proxima
