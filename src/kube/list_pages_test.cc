// SPDX-License-Identifier: Apache-2.0
#include "kube/list_pages.h"

#include <gtest/gtest.h>

#include <deque>

namespace proxima::kube {
namespace {

// Answers what it was given, in turn, and remembers what it was asked.
class ScriptedApi final : public KubeApi {
 public:
  explicit ScriptedApi(std::deque<ApiResponse> answers) : answers_(std::move(answers)) {}

  Result<ApiResponse> send(const ApiRequest& request, const net::Cancellation&) override {
    std::string line = request.path;
    for (const auto& [name, value] : request.query) line += " " + name + "=" + value;
    asked.push_back(line);
    if (answers_.empty()) return Error{ErrorCode::Retry, "nobody is there"};
    ApiResponse answer = answers_.front();
    answers_.pop_front();
    return answer;
  }
  Result<std::unique_ptr<net::HttpStream>> open(const ApiRequest&, std::chrono::milliseconds,
                                                const net::Cancellation&) override {
    return Error{ErrorCode::Unsupported, "not asked here"};
  }

  std::vector<std::string> asked;

 private:
  std::deque<ApiResponse> answers_;
};

ApiResponse page(const std::string& token) {
  return {200, {}, R"({"metadata":{"continue":")" + token + R"("},"items":[]})"};
}

ApiResponse refusal(int status) { return {status, {}, "{}"}; }

// The pages that come, and how it ends.
std::string read_all(ScriptedApi& api) {
  ListPages pages(api, kEndpointSlices);
  std::size_t count = 0;
  for (;;) {
    const auto next = pages.next({});
    if (!next) return std::to_string(count) + " pages, then " + next.error().message;
    if (!*next) return std::to_string(count) + " pages";
    ++count;
  }
}

TEST(ListPages, OfOneNamespaceAskForItsPath) {
  ScriptedApi api({page("more"), page("")});
  ListPages pages(api, kEndpointSlices, "shop");
  ASSERT_TRUE(pages.next({}));
  ASSERT_TRUE(pages.next({}));
  const std::string path = "/apis/discovery.k8s.io/v1/namespaces/shop/endpointslices";
  EXPECT_EQ(api.asked,
            (std::vector<std::string>{path + " limit=500", path + " limit=500 continue=more"}));
}

struct ListPagesRow {
  std::string name;
  std::deque<ApiResponse> answers;
  std::string outcome;
  std::vector<std::string> queries;
};

TEST(ListPages, FollowsTheTokensToTheEnd) {
  const std::string first = " limit=500";
  const ListPagesRow rows[] = {
      {"one page", {page("")}, "1 pages", {first}},
      {"three",
       {page("x"), page("y"), page("")},
       "3 pages",
       {first, " limit=500 continue=x", " limit=500 continue=y"}},
      {"starts again, whole, when the token is too old",
       {page("x"), refusal(410), page("")},
       "2 pages",
       {first, " limit=500 continue=x", ""}},
      {"410 without a token is an error",
       {refusal(410)},
       "0 pages, then list endpointslices: ",
       {first}},
      {"a refusal names the list", {refusal(403)}, "0 pages, then list endpointslices: ", {first}},
      {"no answer names the list",
       {},
       "0 pages, then list endpointslices: nobody is there",
       {first}},
      {"an answer that is none",
       {{200, {}, "<html>"}},
       "0 pages, then list endpointslices: the answer is not a list",
       {first}},
  };
  for (const ListPagesRow& row : rows) {
    SCOPED_TRACE(row.name);
    ScriptedApi api(row.answers);
    EXPECT_EQ(read_all(api).substr(0, row.outcome.size()), row.outcome);
    std::vector<std::string> expected;
    for (const std::string& query : row.queries)
      expected.push_back("/apis/discovery.k8s.io/v1/endpointslices" + query);
    EXPECT_EQ(api.asked, expected);
  }
}

TEST(ListPages, ANullListIsAnEmptyOne) {
  const auto token = continue_token(R"({"items":null,"metadata":{}})");
  ASSERT_TRUE(token);
  EXPECT_EQ(*token, "");
}

}  // namespace
}  // namespace proxima::kube
