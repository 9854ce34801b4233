// SPDX-License-Identifier: Apache-2.0
#include "kube/access_review.h"

#include <gtest/gtest.h>

#include "support/fake_clock.h"

namespace proxima::kube {
namespace {

// Knows the tokens "proxy" and "tenant", of which the first may post reports.
class ReviewingApi final : public KubeApi {
 public:
  Result<ApiResponse> send(const ApiRequest& request, const net::Cancellation&) override {
    requests.push_back(request);
    if (down) return Error{ErrorCode::Retry, "connection refused"};
    const auto has = [&](std::string_view text) {
      return request.body.find(text) != std::string::npos;
    };
    if (request.path == "/apis/authentication.k8s.io/v1/tokenreviews") {
      if (!has(R"("audiences":["controller"])")) return answer(R"({"authenticated":false})");
      if (has(R"("token":"proxy")"))
        return answer(R"({"authenticated":true,"user":{"username":"sa:proxy","groups":["nodes"],)"
                      R"("extra":{"authentication.kubernetes.io/node-name":["node-7"]}}})");
      if (has(R"("token":"tenant")"))
        return answer(R"({"authenticated":true,"user":{"username":"sa:tenant"}})");
      return answer(R"({"authenticated":false,"error":"unknown"})");
    }
    const bool allowed = has(R"("user":"sa:proxy")") && has(R"("groups":["nodes"])") &&
                         has(R"("nonResourceAttributes":{"path":"/reports","verb":"post"})");
    return answer(allowed ? R"({"allowed":true})" : R"({"allowed":false})");
  }
  Result<std::unique_ptr<net::HttpStream>> open(const ApiRequest&, std::chrono::milliseconds,
                                                const net::Cancellation&) override {
    return Error{ErrorCode::Unsupported, "not used"};
  }
  static Result<ApiResponse> answer(const std::string& status) {
    return ApiResponse{201, {}, R"({"status":)" + status + "}"};
  }

  std::vector<ApiRequest> requests;
  bool down = false;
};

class AccessReviewTest : public ::testing::Test {
 protected:
  Result<Bearer> review(const std::string& token) {
    return review_.review(token, {.path = "/reports", .verb = "post"}, {});
  }

  ReviewingApi api_;
  testing::FakeClock clock_;
  AccessReview review_{{.audience = "controller"}, api_, clock_};
};

TEST_F(AccessReviewTest, AllowsTheBearerOfATokenThatMay) {
  const auto bearer = review("proxy");
  ASSERT_TRUE(bearer) << bearer.error().message;
  EXPECT_EQ(bearer->user, "sa:proxy");
  EXPECT_EQ(bearer->node, "node-7");
}

TEST_F(AccessReviewTest, DeniesOthersAndNamesThemWithoutTheirTokens) {
  for (const auto& [token, message] :
       {std::pair{"", "no token"}, std::pair{"secret", "invalid token"},
        std::pair{"tenant", "user \"sa:tenant\" cannot post path \"/reports\""}}) {
    const auto bearer = review(token);
    ASSERT_FALSE(bearer);
    EXPECT_EQ(bearer.error().code, ErrorCode::Denied);
    EXPECT_EQ(bearer.error().message, message);
  }
}

TEST_F(AccessReviewTest, RemembersAnAnswerForThePathThatItWasAbout) {
  ASSERT_TRUE(review("proxy"));
  EXPECT_TRUE(review_.remembered("proxy", {.path = "/reports", .verb = "post"}));
  for (const AccessedPath& other :
       {AccessedPath{"/debug/routes", "post"}, AccessedPath{"/reports", "get"}}) {
    EXPECT_FALSE(review_.remembered("proxy", other)) << other.verb << other.path;
    EXPECT_EQ(review_.review("proxy", other, {}).error().code, ErrorCode::Denied);
  }
}

TEST_F(AccessReviewTest, RemembersAnswersForAWhile) {
  ASSERT_TRUE(review("proxy"));
  ASSERT_FALSE(review("secret"));
  const std::size_t asked = api_.requests.size();
  api_.down = true;
  EXPECT_TRUE(review("proxy"));
  EXPECT_FALSE(review("secret"));
  EXPECT_EQ(api_.requests.size(), asked);
  clock_.advance(std::chrono::seconds(11));
  EXPECT_EQ(review("secret").error().code, ErrorCode::Retry);
  EXPECT_TRUE(review("proxy"));
  clock_.advance(std::chrono::seconds(300));
  EXPECT_EQ(review("proxy").error().code, ErrorCode::Retry);
}

TEST_F(AccessReviewTest, ManyInvalidTokensMakeNoGoodOneForgotten) {
  ASSERT_TRUE(review("proxy"));
  for (int i = 0; i < 20'000; ++i) ASSERT_FALSE(review("made-up-" + std::to_string(i)));
  api_.down = true;
  EXPECT_TRUE(review("proxy"));
  EXPECT_EQ(review("made-up-19999").error().message, "invalid token");
  EXPECT_EQ(review("made-up-0").error().code, ErrorCode::Retry) << "the oldest is forgotten";
}

}  // namespace
}  // namespace proxima::kube
