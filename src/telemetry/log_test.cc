// SPDX-License-Identifier: Apache-2.0
#include "telemetry/log.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "support/fake_clock.h"

namespace proxima::telemetry {
namespace {

using std::chrono::milliseconds;

LogLine line_of(std::span<const LogField> fields) {
  return {
      .time = std::chrono::system_clock::time_point(std::chrono::microseconds(1700000000123456)),
      .file = "src/controller/sync.cc",
      .line = 12,
      .message = "Synced",
      .fields = fields};
}

struct ValueRow {
  const char* name;
  LogValue value;
  std::string text;
  std::string json;
};

TEST(LogLine, ValuesAreWrittenByTheirKind) {
  const ValueRow rows[] = {
      {"text", "shop/cart", "\"shop/cart\"", "\"shop/cart\""},
      {"a number", -3, "-3", "-3"},
      {"a size", std::size_t{18446744073709551615U}, "18446744073709551615",
       "18446744073709551615"},
      {"a fraction", 0.25, "0.25", "0.25"},
      {"infinity", std::numeric_limits<double>::infinity(), "\"inf\"", "\"inf\""},
      {"a flag", true, "true", "true"},
      {"a duration", milliseconds(1500), "\"1.5s\"", "\"1.5s\""},
      {"an empty text", "", "\"\"", "\"\""},
      {"what would begin a line", "a\nE1116 b", R"("a\nE1116 b")", R"("a\nE1116 b")"},
      {"quotation marks", R"(say "x" \)", R"("say \"x\" \\")", R"("say \"x\" \\")"},
      {"colours", "\x1b[31m\x7f", R"("\x1b[31m\x7f")", R"("\u001b[31m\u007f")"},
      {"letters of all countries", "zażółć 🐌", "\"zażółć 🐌\"", "\"zażółć 🐌\""},
      {"a control character in two bytes", "\xc2\x85", R"("\u0085")", R"("\u0085")"},
      {"bytes that are no text", "\xff\xc0\xaf\xed\xa0\x80", R"("\xff\xc0\xaf\xed\xa0\x80")",
       R"("\ufffd\ufffd\ufffd\ufffd\ufffd\ufffd")"},
      {"a character that is cut off", "a\xe2\x82", R"("a\xe2\x82")", R"("a\ufffd\ufffd")"},
  };
  for (const ValueRow& row : rows) {
    const LogField fields[] = {{"key", row.value}};
    EXPECT_EQ(render_line(line_of(fields), LogFormat::Text, 42),
              "I1114 22:13:20.123456      42 sync.cc:12] \"Synced\" key=" + row.text + "\n")
        << row.name;
    EXPECT_EQ(render_line(line_of(fields), LogFormat::Json, 42),
              "{\"ts\":1700000000123.456,\"caller\":\"sync.cc:12\",\"msg\":\"Synced\",\"v\":0,"
              "\"key\":" +
                  row.json + "}\n")
        << row.name;
  }
}

class LogTest : public ::testing::Test {
 protected:
  Log log(LogFormat format, int verbosity) {
    return {{.format = format, .verbosity = verbosity}, clock_, [this](std::string_view line) {
              lines_.emplace_back(line);
            }};
  }
  // From the message on: place and time are not this test's business.
  std::vector<std::string> ends(std::string_view from) const {
    std::vector<std::string> out;
    for (const std::string& line : lines_) out.push_back(line.substr(line.find(from)));
    return out;
  }

  testing::FakeClock clock_;
  std::vector<std::string> lines_;
};

TEST_F(LogTest, DetailsNeedTheirVerbosity) {
  const Log quiet = log(LogFormat::Text, 2);
  quiet.detail(3, "Not seen");
  quiet.detail(2, "Seen", {{"n", 1}, {"zone", "a"}});
  quiet.info("Always");
  EXPECT_FALSE(quiet.shows(3));
  EXPECT_EQ(ends("]"), (std::vector<std::string>{"] \"Seen\" n=1 zone=\"a\"\n", "] \"Always\"\n"}));
}

TEST_F(LogTest, SeverityIsTheFirstLetter) {
  const Log text = log(LogFormat::Text, 0);
  text.info("a");
  text.warning("b");
  text.error("c", "connection refused", {{"try", 3}});
  ASSERT_EQ(lines_.size(), 3U);
  EXPECT_EQ(lines_[0][0], 'I');
  EXPECT_EQ(lines_[1][0], 'W');
  EXPECT_EQ(lines_[2][0], 'E');
  EXPECT_EQ(ends("]")[2], "] \"c\" err=\"connection refused\" try=3\n");
  EXPECT_NE(lines_[0].find(" log_test.cc:"), std::string::npos);
}

TEST_F(LogTest, JsonTellsErrorsByTheirKey) {
  const Log json = log(LogFormat::Json, 4);
  json.detail(4, "a");
  json.warning("b");
  json.error("c", "no \"such\" host");
  EXPECT_EQ(ends("\"msg\""),
            (std::vector<std::string>{"\"msg\":\"a\",\"v\":4}\n",
                                      "\"msg\":\"b\",\"severity\":\"warning\"}\n",
                                      "\"msg\":\"c\",\"err\":\"no \\\"such\\\" host\"}\n"}));
}

}  // namespace
}  // namespace proxima::telemetry
