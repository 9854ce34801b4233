// SPDX-License-Identifier: Apache-2.0
#include "net/http_message.h"

#include <gtest/gtest.h>

namespace proxima::net {
namespace {

TEST(HttpHeaders, NamesAreComparedWithoutRegardToCase) {
  HttpHeaders headers{{"Content-Type", "a"}, {"content-type", "b"}, {"X", "c"}};
  EXPECT_EQ(headers.find("CONTENT-TYPE"), "a");
  EXPECT_EQ(headers.find("Content"), std::nullopt);
  headers.set("CONTENT-type", "d");
  ASSERT_EQ(headers.all().size(), 2U);
  EXPECT_EQ(headers.find("content-type"), "d");
}

struct DecodeRow {
  const char* text;
  std::optional<std::string> itself;
  std::optional<std::string> space;
};

TEST(PercentDecode, TurnsEscapesIntoBytes) {
  const DecodeRow rows[] = {
      {"", "", ""},
      {"a%2Fb", "a/b", "a/b"},
      {"a%2fb", "a/b", "a/b"},
      {"a+b", "a+b", "a b"},
      {"%2B", "+", "+"},
      {"%C3%A4", "ä", "ä"},
      {"%", std::nullopt, std::nullopt},
      {"%2", std::nullopt, std::nullopt},
      {"%2G", std::nullopt, std::nullopt},
      {"a%%20", std::nullopt, std::nullopt},
  };
  for (const DecodeRow& row : rows) {
    EXPECT_EQ(percent_decode(row.text, PlusSign::Itself), row.itself) << row.text;
    EXPECT_EQ(percent_decode(row.text, PlusSign::Space), row.space) << row.text;
  }
}

TEST(PercentEncode, EscapesWhatIsNotUnreserved) {
  EXPECT_EQ(percent_encode("aZ09-._~"), "aZ09-._~");
  EXPECT_EQ(percent_encode("a b/c=d,é"), "a%20b%2Fc%3Dd%2C%C3%A9");
}

TEST(PercentEncode, IsUndoneByDecoding) {
  std::string every;
  for (int byte = 0; byte < 256; ++byte) every.push_back(static_cast<char>(byte));
  EXPECT_EQ(percent_decode(percent_encode(every), PlusSign::Space), every);
}

std::string shown(const std::optional<std::vector<QueryParameter>>& parameters) {
  if (!parameters) return "refused";
  std::string text;
  for (const auto& it : *parameters) text += "[" + it.name + "|" + it.value + "]";
  return text;
}

TEST(ParseQuery, KeepsOrderAndRepetition) {
  const std::pair<const char*, const char*> rows[] = {
      {"", ""},
      {"watch=true&resourceVersion=5", "[watch|true][resourceVersion|5]"},
      {"a=1&a=2", "[a|1][a|2]"},
      {"watch", "[watch|]"},
      {"a=b=c", "[a|b=c]"},
      {"&&a=1&", "[a|1]"},
      {"labelSelector=app%3Dweb%2Ctier+in+(a)", "[labelSelector|app=web,tier in (a)]"},
      {"a=%", "refused"},
      {"%zz=1", "refused"},
  };
  for (const auto& [query, expected] : rows) {
    EXPECT_EQ(shown(parse_query(query)), expected) << query;
  }
}

}  // namespace
}  // namespace proxima::net
