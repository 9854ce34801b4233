// SPDX-License-Identifier: Apache-2.0
#include "proxy/health_answer.h"

#include <gtest/gtest.h>

namespace proxima::proxy {
namespace {

using namespace std::chrono_literals;

const WallTime kStart = parse_time("2026-03-01T12:00:00Z").value();

TEST(ServiceHealth, IsGoodWhileAReadyEndpointIsHere) {
  const struct {
    const char* name;
    std::uint32_t local_ready;
    bool proxy_healthy;
    int status;
  } cases[] = {
      {"two are here", 2, true, 200},
      {"none is here", 0, true, 503},
      {"the proxy does not keep up", 2, false, 503},
  };
  for (const auto& c : cases) {
    const HealthAnswer answer =
        service_health_answer("shop", "web", c.local_ready, c.proxy_healthy);
    EXPECT_EQ(answer.status, c.status) << c.name;
    EXPECT_EQ(answer.headers.back().second, std::to_string(c.local_ready)) << c.name;
  }
}

TEST(ServiceHealth, SaysWhatKubeProxySays) {
  const HealthAnswer answer = service_health_answer("shop", "web", 2, true);
  EXPECT_EQ(answer.body,
            "{\n\t\"service\": {\n\t\t\"namespace\": \"shop\",\n\t\t\"name\": \"web\"\n\t},\n"
            "\t\"localEndpoints\": 2,\n\t\"serviceProxyHealthy\": true\n}");
  const std::vector<std::pair<std::string, std::string>> headers = {
      {"Content-Type", "application/json"},
      {"X-Content-Type-Options", "nosniff"},
      {"X-Load-Balancing-Endpoint-Weight", "2"}};
  EXPECT_EQ(answer.headers, headers);
}

TEST(ProxyHealth, IsLostWhenAnUpdateWaitsTooLong) {
  ProxyHealth health(60s);
  EXPECT_TRUE(health.is_healthy(kStart)) << "it is starting up";
  health.queued(IpFamily::V4, kStart);
  EXPECT_TRUE(health.is_healthy(kStart + 2h)) << "it is still starting up";
  health.updated(IpFamily::V4, kStart);
  EXPECT_TRUE(health.is_healthy(kStart + 24h)) << "nothing is to be done";
  health.queued(IpFamily::V4, kStart + 10s);
  health.queued(IpFamily::V4, kStart + 60s);
  EXPECT_TRUE(health.is_healthy(kStart + 69s)) << "not late yet";
  EXPECT_FALSE(health.is_healthy(kStart + 70s)) << "the first request counts, not the last";
  health.updated(IpFamily::V4, kStart + 71s);
  EXPECT_TRUE(health.is_healthy(kStart + 24h));
}

TEST(ProxyHealth, NeedsEveryFamily) {
  ProxyHealth health(60s);
  health.updated(IpFamily::V4, kStart);
  health.updated(IpFamily::V6, kStart + 1s);
  health.queued(IpFamily::V6, kStart + 2s);
  const HealthAnswer answer = health.livez(kStart + 100s + 500ms);
  EXPECT_EQ(answer.status, 503);
  EXPECT_EQ(answer.body,
            R"({"lastUpdated":"2026-03-01T12:00:01Z","currentTime":"2026-03-01T12:01:40.5Z",)"
            R"("healthy":false,"status":{"IPv4":{"lastUpdated":"2026-03-01T12:00:00Z",)"
            R"("healthy":true},"IPv6":{"lastUpdated":"2026-03-01T12:00:01Z","healthy":false}}})");
}

TEST(ProxyHealth, OfANodeThatGoesIsBad) {
  ProxyHealth health(60s);
  health.updated(IpFamily::V4, kStart);
  kube::NodeRecord node;
  EXPECT_EQ(health.healthz(kStart, &node).status, 200);
  EXPECT_EQ(health.healthz(kStart, &node).body,
            R"({"lastUpdated":"2026-03-01T12:00:00Z","currentTime":"2026-03-01T12:00:00Z",)"
            R"("nodeEligible":true,"healthy":true,)"
            R"("status":{"IPv4":{"lastUpdated":"2026-03-01T12:00:00Z","healthy":true}}})");
  EXPECT_EQ(health.healthz(kStart, nullptr).status, 503) << "unknown";
  node.to_be_deleted = true;
  EXPECT_EQ(health.healthz(kStart, &node).status, 503) << "tainted by the autoscaler";
  EXPECT_EQ(health.livez(kStart).status, 200) << "the proxy itself is well";
  node.to_be_deleted = false;
  node.meta.terminating = true;
  EXPECT_EQ(health.healthz(kStart, &node).status, 503) << "being deleted";
}

TEST(ProxyHealth, SaysSoBeforeTheFirstUpdate) {
  const HealthAnswer answer = ProxyHealth(60s).livez(kStart);
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.body, R"({"lastUpdated":"2026-03-01T12:00:00Z","currentTime":)"
                         R"("2026-03-01T12:00:00Z","healthy":true})");
}

}  // namespace
}  // namespace proxima::proxy
