// SPDX-License-Identifier: Apache-2.0
#include "apiserver/access_reviews.h"

#include <gtest/gtest.h>

namespace proxima::apiserver {
namespace {

constexpr const char* kTokens = "/apis/authentication.k8s.io/v1/tokenreviews";
constexpr const char* kAccess = "/apis/authorization.k8s.io/v1/subjectaccessreviews";

TEST(AccessReviews, SayWhoATokenBelongsToAndWhatTheyMayDo) {
  const struct {
    const char* name;
    const char* path;
    const char* spec;
    const char* status;
  } rows[] = {
      {"the admin's token", kTokens, R"({"token":"a","audiences":["x"]})",
       R"("authenticated":true,"user":{"username":"admin")"},
      {"the reader's token", kTokens, R"({"token":"r"})",
       R"("authenticated":true,"user":{"username":"readonly")"},
      {"another token", kTokens, R"({"token":"b"})", R"("authenticated":false)"},
      {"no token", kTokens, R"({"token":5})", R"("authenticated":false)"},
      {"the admin posts", kAccess,
       R"({"user":"admin","nonResourceAttributes":{"path":"/p","verb":"post"}})",
       R"("allowed":true)"},
      {"the reader posts", kAccess,
       R"({"user":"readonly","nonResourceAttributes":{"path":"/p","verb":"post"}})",
       R"("allowed":false)"},
      {"the reader lists", kAccess,
       R"({"user":"readonly","resourceAttributes":{"resource":"pods","verb":"list"}})",
       R"("allowed":true)"},
      {"nobody asks for nothing", kAccess, "{}", R"("allowed":false)"},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const std::string body = R"({"spec":)" + std::string(row.spec) + "}";
    const auto answer = answer_review(row.path, body, {"a", "r"}, User::Admin);
    ASSERT_TRUE(answer);
    EXPECT_NE(answer->find(row.status), std::string::npos) << *answer;
  }
}

TEST(AccessReviews, RefuseReadersAndWhatIsNoReview) {
  EXPECT_EQ(answer_review(kTokens, R"({"spec":{}})", {"a", "r"}, User::Reader).error().code, 403);
  for (const char* body : {"", "[]", "{}", R"({"spec":[]})"})
    EXPECT_EQ(answer_review(kTokens, body, {"a", "r"}, User::Admin).error().code, 400) << body;
}

}  // namespace
}  // namespace proxima::apiserver
