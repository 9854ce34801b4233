// SPDX-License-Identifier: Apache-2.0
#include "reports/node_report.h"

#include <gtest/gtest.h>

namespace proxima::reports {
namespace {

TEST(NodeReport, IsReadAsItWasWritten) {
  const NodeReport report{.node = "node-7",
                          .instance = "a1",
                          .sequence = 12,
                          .slices_version = kSlicesVersionMax,
                          .unreadable = {"shop/web"},
                          .connections = {{"shop/cart", 120, 100}}};
  const auto read = parse_node_report(render(report));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, report);
}

TEST(NodeReport, AnErrorNamesTheField) {
  const std::string good = R"("format":1,"node":"n","instance":"i","sequence":1,"slicesVersion":2)";
  const struct {
    const char* name;
    std::string text;
    const char* problem;
  } rows[] = {
      {"not JSON", "{", "node report: not JSON: incomplete JSON"},
      {"a list", "[]", "node report: not an object"},
      {"another format", R"({"format":2,"node":"n","instance":"i","sequence":1,"slicesVersion":2})",
       "node report: format is not 1"},
      {"no node", R"({"format":1,"instance":"i","sequence":1,"slicesVersion":2})",
       "node report: node is not a string"},
      {"an empty node", R"({"format":1,"node":"","instance":"i","sequence":1,"slicesVersion":2})",
       "node report: node is empty"},
      {"a name that no node can have",
       R"({"format":1,"node":")" + std::string(254, 'n') +
           R"(","instance":"i","sequence":1,"slicesVersion":2})",
       "node report: node is too long"},
      {"a negative version",
       R"({"format":1,"node":"n","instance":"i","sequence":1,"slicesVersion":-2})",
       "node report: slicesVersion is not a count"},
      {"a version that no API server gives",
       R"({"format":1,"node":"n","instance":"i","sequence":1,"slicesVersion":1000000000000000001})",
       "node report: slicesVersion exceeds its limit"},
      {"a sequence that nobody can have counted",
       R"({"format":1,"node":"n","instance":"i","sequence":1000000000000001,"slicesVersion":2})",
       "node report: sequence exceeds its limit"},
      {"connections that are not a list", "{" + good + R"(,"connections":{}})",
       "node report: connections is not a list"},
      {"more local connections than connections",
       "{" + good + R"(,"connections":[{"service":"a/b","connections":1,"local":2}]})",
       "node report: connections[0].local exceeds connections"},
      {"a count that nobody can have counted",
       "{" + good + R"(,"connections":[{"service":"a/b","connections":1e13,"local":0}]})",
       "node report: connections[0].connections is not a count"},
      {"a name without a namespace",
       "{" + good + R"(,"connections":[{"service":"b","connections":1,"local":0}]})",
       "node report: connections[0].service is not NAMESPACE/NAME"},
      {"a Service that is counted twice",
       "{" + good +
           R"(,"connections":[{"service":"a/b","connections":1,"local":0},)"
           R"({"service":"a/c","connections":1,"local":0},)"
           R"({"service":"a/b","connections":1,"local":0}]})",
       "node report: connections[2].service occurs twice"},
      {"an unreadable Service that has no name", "{" + good + R"(,"unreadable":["a/b","a/"]})",
       "node report: unreadable[1] is not NAMESPACE/NAME"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const auto read = parse_node_report(row.text);
    ASSERT_FALSE(read);
    EXPECT_EQ(read.error().message, row.problem);
  }
}

TEST(NodeReport, ListsAreBounded) {
  NodeReport report{.node = "n", .instance = "i"};
  report.connections.assign(kCountedServicesMax + 1, {"a/b", 1, 1});
  EXPECT_EQ(parse_node_report(render(report)).error().message,
            "node report: connections has too many entries");
  report.connections.clear();
  report.unreadable.assign(kUnreadableMax + 1, "a/b");
  EXPECT_EQ(parse_node_report(render(report)).error().message,
            "node report: unreadable has too many entries");
}

}  // namespace
}  // namespace proxima::reports
