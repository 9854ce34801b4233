// SPDX-License-Identifier: Apache-2.0
#include "apiserver/discovery.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>

namespace proxima::apiserver {
namespace {

net::HttpResponse get(std::string target, net::HttpHeaders headers = {}) {
  net::HttpRequest request;
  request.target = std::move(target);
  request.headers = std::move(headers);
  return answer_discovery(request, "127.0.0.1:6443").value_or(net::HttpResponse());
}

constexpr const char* kWhatKubectlAsks =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,"
    "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList,application/json";

TEST(Discovery, AnswersInTheFormThatIsLikedBest) {
  const struct {
    const char* name;
    const char* path;
    const char* accept;
    const char* type;
    const char* begins;
  } cases[] = {
      {"kubectl", "/apis", kWhatKubectlAsks,
       "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList",
       R"({"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2")"},
      {"an older one", "/api",
       "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList",
       "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList",
       R"({"kind":"APIGroupDiscoveryList","apiVersion":"apidiscovery.k8s.io/v2beta1")"},
      {"a much older one", "/apis", "application/json", "application/json",
       R"({"kind":"APIGroupList")"},
      {"curl", "/api", "*/*", "application/json", R"({"kind":"APIVersions")"},
      {"a slash at the end", "/api/", "*/*", "application/json", R"({"kind":"APIVersions")"},
      {"what cannot be aggregated", "/api/v1", kWhatKubectlAsks, "application/json",
       R"({"kind":"APIResourceList")"},
      {"OpenAPI for old kubectls", "/openapi/v2",
       "application/com.github.proto-openapi.spec.v2@v1.0+protobuf",
       "application/com.github.proto-openapi.spec.v2.v1.0+protobuf", "\n\0032.0"},
      {"OpenAPI for others", "/openapi/v2", "*/*", "application/json", R"({"swagger":"2.0")"},
      {"a document of version 3", "/openapi/v3/api/v1?timeout=32s", "application/json",
       "application/json", R"({"openapi":"3.0.0")"},
  };
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const auto response = get(c.path, {{"Accept", c.accept}});
    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(response.headers.find("content-type"), c.type);
    EXPECT_TRUE(response.body.starts_with(c.begins)) << response.body.substr(0, 100);
  }
}

TEST(Discovery, SendsNothingTwice) {
  const auto first = get("/openapi/v3/apis/discovery.k8s.io/v1");
  const std::string etag(first.headers.find("ETag").value());
  const auto again = get("/openapi/v3/apis/discovery.k8s.io/v1", {{"If-None-Match", etag}});
  EXPECT_EQ(again.status, 304);
  EXPECT_TRUE(again.body.empty());
  EXPECT_NE(get("/openapi/v3").body.find("hash=" + etag.substr(1, etag.size() - 2)),
            std::string::npos);
}

TEST(Discovery, LetsClientsKeepADocumentUnderItsHash) {
  const auto list = boost::json::parse(get("/openapi/v3").body);
  const std::string url(list.at("paths").at("api/v1").at("serverRelativeURL").as_string().c_str());
  const auto kept = get(url + "&timeout=32s");
  EXPECT_EQ(kept.status, 200);
  EXPECT_NE(kept.headers.find("Cache-Control")->find("immutable"), std::string_view::npos);
  const auto outdated = get("/openapi/v3/api/v1?hash=ABC");
  EXPECT_EQ(outdated.status, 301);
  EXPECT_EQ(outdated.headers.find("Location"), url);
}

TEST(Discovery, RefusesWhatItDoesNotHave) {
  EXPECT_EQ(get("/apis", {{"Accept", "text/html"}}).status, 406);
  net::HttpRequest post;
  post.method = "POST";
  post.target = "/api";
  EXPECT_EQ(answer_discovery(post, "").value().status, 405);
  for (const char* path : {"/apis/nope", "/api/v1/pods", "/", "/healthz", "/openapi/v3/apis/nope"})
    EXPECT_EQ(get(path).status, 0) << path;
}

TEST(Discovery, EveryReferenceInOpenApiLeadsSomewhere) {
  for (const char* path :
       {"/openapi/v2", "/openapi/v3/api/v1", "/openapi/v3/apis/events.k8s.io/v1"}) {
    SCOPED_TRACE(path);
    const std::string body = get(path).body;
    const auto document = boost::json::parse(body);
    const bool old = document.as_object().contains("definitions");
    const std::string prefix =
        old ? "\"$ref\":\"#/definitions/" : "\"$ref\":\"#/components/schemas/";
    const auto& schemas =
        old ? document.at("definitions") : document.at("components").at("schemas");
    for (std::size_t at = body.find(prefix); at != std::string::npos; at = body.find(prefix, at)) {
      at += prefix.size();
      const std::string name = body.substr(at, body.find('"', at) - at);
      ASSERT_TRUE(schemas.as_object().contains(name)) << name;
      EXPECT_TRUE(schemas.at(name).as_object().contains("type") ||
                  schemas.at(name).as_object().contains("oneOf"))
          << name;
    }
  }
}

}  // namespace
}  // namespace proxima::apiserver
