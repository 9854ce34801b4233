// SPDX-License-Identifier: Apache-2.0
#include "cli/component_pages.h"

#include <gtest/gtest.h>

#include <chrono>

namespace proxima::cli {
namespace {

net::HttpRequest asking(const std::string& accept) {
  net::HttpRequest request;
  if (!accept.empty()) request.headers.add("Accept", accept);
  return request;
}

std::string type_of(const net::HttpResponse& answer) {
  return std::string(answer.headers.find("Content-Type").value_or("none"));
}

const FlagValues kFlags = {{"proxy-mode", "nftables"}, {"v", "2"}, {"yes", "on"}};

constexpr std::string_view kBeta = ";as=Flagz;v=v1beta1;g=config.k8s.io";

TEST(Flagz, IsTextUnlessTheKindIsAskedForByItsName) {
  const std::string beta(kBeta);
  const struct {
    const char* name;
    std::string accept;
    int status;
    const char* type;
  } rows[] = {
      {"nothing said", "", 200, "text/plain; charset=utf-8"},
      {"blanks", "  ", 200, "text/plain; charset=utf-8"},
      {"anything", "*/*", 200, "text/plain; charset=utf-8"},
      {"text", "text/plain", 200, "text/plain; charset=utf-8"},
      {"JSON of a version", "application/json" + beta, 200,
       "application/json;g=config.k8s.io;v=v1beta1;as=Flagz"},
      {"YAML of a version", "application/yaml" + beta, 200,
       "application/yaml;g=config.k8s.io;v=v1beta1;as=Flagz"},
      {"the best that there is", "application/cbor" + beta + ",application/yaml" + beta, 200,
       "application/yaml;g=config.k8s.io;v=v1beta1;as=Flagz"},
      {"YAML of no version", "application/yaml", 406, "application/yaml"},
      {"JSON of no version", "application/json", 406, "application/json"},
      {"JSON of another kind", "application/json;as=Statusz;v=v1beta1;g=config.k8s.io", 406,
       "application/json"},
      {"JSON of a version that is none", "application/json;as=Flagz;v=v2;g=config.k8s.io", 406,
       "application/json"},
      {"a page for browsers", "text/html", 406, "application/json"},
      {"a browser", "text/html,*/*;q=0.8", 200, "text/plain; charset=utf-8"},
  };
  for (const auto& row : rows) {
    const auto answer = answer_flagz(asking(row.accept), "proxima-proxy", kFlags);
    EXPECT_EQ(answer.status, row.status) << row.name;
    EXPECT_EQ(type_of(answer), row.type) << row.name;
  }
}

TEST(Flagz, AreListedByName) {
  EXPECT_EQ(answer_flagz(asking(""), "proxima-proxy", kFlags).body,
            "\nproxima-proxy flagz\n"
            "Warning: This endpoint is not meant to be machine parseable, has no formatting "
            "compatibility guarantees and is for debugging purposes only.\n"
            "proxy-mode=nftables\nv=2\nyes=on\n");
  EXPECT_EQ(
      answer_flagz(asking("application/json" + std::string(kBeta)), "proxima-proxy", kFlags).body,
      R"({"kind":"Flagz","apiVersion":"config.k8s.io/v1beta1",)"
      R"("metadata":{"name":"proxima-proxy"},)"
      R"("flags":{"proxy-mode":"nftables","v":"2","yes":"on"}})"
      "\n");
  EXPECT_EQ(
      answer_flagz(asking("application/yaml" + std::string(kBeta)), "proxima-proxy", kFlags).body,
      "kind: Flagz\napiVersion: config.k8s.io/v1beta1\nmetadata:\n  name: proxima-proxy\n"
      "flags:\n  proxy-mode: nftables\n  v: \"2\"\n  \"yes\": \"on\"\n")
      << "\"on\" stays a text";
}

TEST(Flagz, ThatHoldSecretsAreNamedAndNotTold) {
  const FlagValues flags = {{"api-token", "hush"},
                            {"proxy-password", "hush"},
                            {"tls-private-key", "hush"},
                            {"client-secret", "hush"},
                            {"web-token-file", "/etc/token"}};
  for (const std::string& accept : {std::string(), "application/json" + std::string(kBeta),
                                    "application/yaml" + std::string(kBeta)}) {
    const std::string body = answer_flagz(asking(accept), "proxima-proxy", flags).body;
    EXPECT_EQ(body.find("hush"), std::string::npos) << body;
    EXPECT_NE(body.find("CLASSIFIED"), std::string::npos) << body;
    EXPECT_NE(body.find("/etc/token"), std::string::npos) << "a file's name is no secret";
  }
}

TEST(Flagz, OfAnOldVersionComeWithAWarning) {
  const auto answer = answer_flagz(asking("application/json;as=Flagz;v=v1alpha1;g=config.k8s.io"),
                                   "proxima-proxy", kFlags);
  EXPECT_EQ(answer.headers.find("Warning"),
            "299 - \"This version of the flagz endpoint is deprecated. Please use a newer "
            "version.\"");
}

ComponentStatus status() {
  return {.component = "proxima-proxy",
          .binary_version = "0.1.0",
          .emulation_version = "1.36",
          .started = *parse_time("2026-03-01T12:00:00Z"),
          .paths = {"/debug/flows", "/debug/routes", "/healthz", "/metrics", "/metrics/slis"}};
}

TEST(Statusz, TellsSinceWhenWhichVersionAndWhereElseToLook) {
  const WallTime now = status().started + std::chrono::seconds(3725);
  EXPECT_EQ(answer_statusz(asking(""), status(), now).body,
            "\nproxima-proxy statusz\n"
            "Warning: This endpoint is not meant to be machine parseable, has no formatting "
            "compatibility guarantees and is for debugging purposes only.\n"
            "\nStarted: Sun Mar  1 12:00:00 UTC 2026\nUp: 1 hr 02 min 05 sec\n"
            "Binary version: 0.1.0\nEmulation version: 1.36\n"
            "Paths: /debug /healthz /metrics\n");
  const std::string beta = ";as=Statusz;v=v1beta1;g=config.k8s.io";
  EXPECT_EQ(answer_statusz(asking("application/json" + beta), status(), now).body,
            R"({"kind":"Statusz","apiVersion":"config.k8s.io/v1beta1",)"
            R"("metadata":{"name":"proxima-proxy"},"startTime":"2026-03-01T12:00:00Z",)"
            R"("uptimeSeconds":3725,"goVersion":"","binaryVersion":"0.1.0",)"
            R"("emulationVersion":"1.36","paths":["/debug","/healthz","/metrics"]})"
            "\n");
  EXPECT_EQ(answer_statusz(asking("application/yaml" + beta), status(), now).body,
            R"(kind: Statusz
apiVersion: config.k8s.io/v1beta1
metadata:
  name: proxima-proxy
startTime: "2026-03-01T12:00:00Z"
uptimeSeconds: 3725
goVersion: ""
binaryVersion: "0.1.0"
emulationVersion: "1.36"
paths:
- "/debug"
- "/healthz"
- "/metrics"
)");
  EXPECT_EQ(answer_statusz(asking("text/html"), status(), now).status, 406);
}

TEST(Statusz, AClockThatWentBackIsNoNegativeTime) {
  const auto answer =
      answer_statusz(asking(""), status(), status().started - std::chrono::seconds(5));
  EXPECT_NE(answer.body.find("Up: 0 hr 00 min 00 sec\n"), std::string::npos);
}

}  // namespace
}  // namespace proxima::cli
