// SPDX-License-Identifier: Apache-2.0
#include "controller/slice_port.h"

#include <gtest/gtest.h>

namespace proxima::controller {
namespace {

class ConflictingServer final : public kube::KubeApi {
 public:
  Result<kube::ApiResponse> send(const kube::ApiRequest& request,
                                 const net::Cancellation&) override {
    asked.push_back(request);
    return kube::ApiResponse{409, {}, R"({"kind":"Status","reason":"Conflict"})"};
  }
  Result<std::unique_ptr<net::HttpStream>> open(const kube::ApiRequest&, std::chrono::milliseconds,
                                                const net::Cancellation&) override {
    return Error{ErrorCode::Unsupported, "no streams"};
  }

  std::vector<kube::ApiRequest> asked;
};

// Another leader may have put endpoints into it that the cache does not show yet.
TEST(ApiSlicePort, DeletesOnlyTheSliceThatWasSeen) {
  ConflictingServer server;
  kube::ObjectClient client(server, std::chrono::seconds(30));
  ApiSlicePort port(client, {});
  kube::EndpointSliceRecord slice;
  slice.meta.ns = Text("shop");
  slice.meta.name = Text("web-x");
  slice.meta.uid = Text("u");
  slice.meta.version = 7;
  const auto answer = port.remove(slice);
  ASSERT_FALSE(answer);
  EXPECT_TRUE(kube::is_conflict(answer.error()));
  ASSERT_EQ(server.asked.size(), 1U);
  EXPECT_NE(server.asked[0].body.find(R"("preconditions":{"uid":"u","resourceVersion":"7"})"),
            std::string::npos)
      << server.asked[0].body;
}

}  // namespace
}  // namespace proxima::controller
