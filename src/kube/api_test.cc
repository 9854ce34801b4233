// SPDX-License-Identifier: Apache-2.0
#include "kube/api.h"

#include <gtest/gtest.h>

namespace proxima::kube {
namespace {

struct PathRow {
  Resource resource;
  const char* ns;
  const char* name;
  const char* subresource;
  const char* path;
};
const PathRow kPaths[] = {
    {kPods, "shop", "web-1", "status", "/api/v1/namespaces/shop/pods/web-1/status"},
    {kPods, "", "", "", "/api/v1/pods"},
    {kPods, "shop", "", "", "/api/v1/namespaces/shop/pods"},
    {kNodes, "", "a", "", "/api/v1/nodes/a"},
    {kNodes, "shop", "a", "", "/api/v1/nodes/a"},
    {kNamespaces, "", "shop", "", "/api/v1/namespaces/shop"},
    {kEndpointSlices, "s", "x", "", "/apis/discovery.k8s.io/v1/namespaces/s/endpointslices/x"},
    {kLeases, "a/b", "c?d", "", "/apis/coordination.k8s.io/v1/namespaces/a%2Fb/leases/c%3Fd"},
};

TEST(ResourcePath, SpellsEveryKindAndEscapesNames) {
  for (const PathRow& row : kPaths)
    EXPECT_EQ(resource_path(row.resource, row.ns, row.name, row.subresource), row.path);
}

struct FailureRow {
  const char* what;
  ApiResponse response;
  ErrorCode code;
  const char* reason;
  const char* text;
  int retry_after;  // -1: none
};
const FailureRow kFailures[] = {
    {"a Status",
     {404, {}, R"({"kind":"Status","reason":"NotFound","message":"pods \"a\" not found"})"},
     ErrorCode::NotFound,
     "NotFound",
     "pods \"a\" not found (404 NotFound)",
     -1},
    {"a name that is taken",
     {409, {}, R"({"kind":"Status","reason":"AlreadyExists","message":"there"})"},
     ErrorCode::Conflict,
     "AlreadyExists",
     "there (409 AlreadyExists)",
     -1},
    {"a stale update",
     {409, {}, R"({"kind":"Status","reason":"Conflict","message":"modified"})"},
     ErrorCode::Conflict,
     "Conflict",
     "modified (409 Conflict)",
     -1},
    {"an expired version",
     {410, {}, R"({"kind":"Status","reason":"Expired","message":"too old"})"},
     ErrorCode::Relist,
     "Expired",
     "too old (410 Expired)",
     -1},
    {"details that say when",
     {429, {}, R"({"kind":"Status","message":"slow","details":{"retryAfterSeconds":7}})"},
     ErrorCode::Retry,
     "TooManyRequests",
     "slow (429 TooManyRequests)",
     7},
    {"a header that says when",
     {503, {{"retry-after", "3"}}, "<html>"},
     ErrorCode::Retry,
     "ServiceUnavailable",
     "the server is currently unable to handle the request (503 ServiceUnavailable)",
     3},
    {"details that say more than a day",
     {429, {}, R"({"kind":"Status","message":"slow","details":{"retryAfterSeconds":4294967297}})"},
     ErrorCode::Retry,
     "TooManyRequests",
     "slow (429 TooManyRequests)",
     -1},
    {"a header that says more than a day",
     {503, {{"retry-after", "86401"}}, "<html>"},
     ErrorCode::Retry,
     "ServiceUnavailable",
     "the server is currently unable to handle the request (503 ServiceUnavailable)",
     -1},
    {"a header that says nothing",
     {500, {{"Retry-After", "soon"}}, ""},
     ErrorCode::Retry,
     "InternalError",
     "an error on the server has prevented the request from succeeding (500 InternalError)",
     -1},
    {"a body of the wrong shape",
     {422, {}, R"({"kind":"Status","reason":7,"message":[],"details":5})"},
     ErrorCode::InvalidInput,
     "Invalid",
     "the server rejected our request due to an error in our request (422 Invalid)",
     -1},
    {"no permission",
     {403, {}, "no"},
     ErrorCode::Denied,
     "Forbidden",
     "unknown (403 Forbidden)",
     -1},
    {"a code nobody knows",
     {418, {}, ""},
     ErrorCode::InvalidInput,
     "Unknown",
     "the server responded with the status code 418 but did not return more information (418 "
     "Unknown)",
     -1},
};

TEST(ApiFailure, SaysWhatTheCallerDoesNext) {
  for (const FailureRow& row : kFailures) {
    const ApiFailure failure = failure_of(row.response);
    EXPECT_EQ(failure.reason, row.reason) << row.what;
    EXPECT_EQ(failure.retry_after_seconds.has_value(), row.retry_after >= 0) << row.what;
    EXPECT_EQ(failure.retry_after_seconds.value_or(0), std::max(row.retry_after, 0)) << row.what;
    EXPECT_EQ(to_error(failure).code, row.code) << row.what;
    EXPECT_EQ(to_error(failure).message, row.text) << row.what;
  }
}

TEST(Failure, NamesItsCauses) {
  const ApiFailure failure = failure_of(
      {403,
       {},
       R"({"kind":"Status","reason":"Forbidden","details":{"causes":[{"reason":"NamespaceTerminating",
           "field":"metadata.namespace"},{"message":"no reason"},3]}})"});
  EXPECT_EQ(failure.causes, std::vector<std::string>{"NamespaceTerminating"});
}

}  // namespace
}  // namespace proxima::kube
