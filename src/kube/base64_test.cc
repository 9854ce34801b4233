// SPDX-License-Identifier: Apache-2.0
#include "kube/base64.h"

#include <gtest/gtest.h>

namespace proxima::kube {
namespace {

TEST(Base64, GoesThereAndBack) {
  const std::pair<std::string, const char*> rows[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"admin:s3cret", "YWRtaW46czNjcmV0"},
      {"\xff\xfe", "//4="},
      {std::string(1, '\0'), "AA=="},
  };
  for (const auto& [bytes, text] : rows) {
    EXPECT_EQ(base64_encode(bytes), text);
    EXPECT_EQ(base64_decode(text), bytes) << text;
  }
}

TEST(Base64, RefusesWhatIsNone) {
  EXPECT_EQ(base64_decode("Zm\n9v\r\n"), "foo");
  for (const char* text :
       {"Z", "Zg", "Zg=", "Zg===", "====", "Z===", "Zm9v=", "Zm9*", "=m9v", "Z g="})
    EXPECT_EQ(base64_decode(text), std::nullopt) << text;
}

}  // namespace
}  // namespace proxima::kube
