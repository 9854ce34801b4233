// SPDX-License-Identifier: Apache-2.0
#include "report/document.h"

#include <gtest/gtest.h>

#include <limits>

namespace proxima::report {
namespace {

void write_sample(DocumentWriter& writer) {
  writer.begin_object();
  writer.field("name", "cart");
  writer.field("share", 0.1);
  writer.field("count", 3);
  writer.field("ready", true);
  writer.key("nothing");
  writer.null();
  writer.key("empty");
  writer.begin_array();
  writer.end_array();
  writer.key("none");
  writer.begin_object();
  writer.end_object();
  writer.key("items");
  writer.begin_array();
  writer.begin_object();
  writer.field("zone", "a");
  writer.key("to");
  writer.begin_object();
  writer.field("b", 1);
  writer.end_object();
  writer.end_object();
  writer.text("no");
  writer.begin_array();
  writer.integer(1);
  writer.integer(2);
  writer.end_array();
  writer.end_array();
  writer.end_object();
}

TEST(Document, WritesJson) {
  DocumentWriter writer(DocumentFormat::Json);
  write_sample(writer);
  EXPECT_EQ(std::move(writer).finish(), R"({
  "name": "cart",
  "share": 0.1,
  "count": 3,
  "ready": true,
  "nothing": null,
  "empty": [],
  "none": {},
  "items": [
    {
      "zone": "a",
      "to": {
        "b": 1
      }
    },
    "no",
    [
      1,
      2
    ]
  ]
}
)");
}

TEST(Document, WritesTheSameOnOneLine) {
  DocumentWriter writer(DocumentFormat::Compact);
  write_sample(writer);
  EXPECT_EQ(std::move(writer).finish(),
            R"({"name":"cart","share":0.1,"count":3,"ready":true,"nothing":null,"empty":[],)"
            R"("none":{},"items":[{"zone":"a","to":{"b":1}},"no",[1,2]]})");
}

TEST(Document, WritesTheSameAsYaml) {
  DocumentWriter writer(DocumentFormat::Yaml);
  write_sample(writer);
  EXPECT_EQ(std::move(writer).finish(), R"(name: cart
share: 0.1
count: 3
ready: true
nothing: null
empty: []
none: {}
items:
- zone: a
  to:
    b: 1
- "no"
- - 1
  - 2
)");
}

TEST(Document, QuotesWhatSomeYamlReaderWouldTakeForSomethingElse) {
  const struct {
    const char* text;
    const char* written;
  } cases[] = {
      {"cart", "cart\n"},
      {"shop/cart-v1.2", "shop/cart-v1.2\n"},
      {"", "\"\"\n"},
      {"yes", "\"yes\"\n"},
      {"NULL", "\"NULL\"\n"},
      {"1.5", "\"1.5\"\n"},
      {"10.0.0.1", "\"10.0.0.1\"\n"},
      {"fd00::1", "\"fd00::1\"\n"},
      {"a: b", "\"a: b\"\n"},
      {"# no comment", "\"# no comment\"\n"},
      {"line\nline", "\"line\\nline\"\n"},
      {"*", "\"*\"\n"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.text);
    DocumentWriter writer(DocumentFormat::Yaml);
    writer.text(c.text);
    EXPECT_EQ(std::move(writer).finish(), c.written);
  }
}

TEST(Document, EscapesTextAndRefusesBrokenBytes) {
  for (const DocumentFormat format : {DocumentFormat::Compact, DocumentFormat::Yaml}) {
    DocumentWriter writer(format);
    writer.text("a\"b\\c\n\t\x01\xFF");
    const std::string end = format == DocumentFormat::Yaml ? "\n" : "";
    EXPECT_EQ(std::move(writer).finish(), R"("a\"b\\c\n\t\u0001\ufffd")" + end);
  }
}

TEST(Document, KnowsNoInfinity) {
  DocumentWriter writer(DocumentFormat::Json);
  writer.number(std::numeric_limits<double>::infinity());
  EXPECT_EQ(std::move(writer).finish(), "null\n");
}

}  // namespace
}  // namespace proxima::report
