// SPDX-License-Identifier: Apache-2.0
#include "proxy/health_answer.h"

#include <algorithm>
#include <cstdint>

#include "base/json_text.h"

namespace proxima::proxy {
namespace {

constexpr int kOk = 200;
constexpr int kUnavailable = 503;

std::string_view to_text(bool value) { return value ? "true" : "false"; }

// As Go's encoding/json writes a time: a fraction without its last zeros, and none when it is zero.
std::string precise_time(WallTime time) {
  std::string text = time_text(time);
  const auto nanoseconds =
      std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch()).count();
  const std::int64_t fraction = ((nanoseconds % 1'000'000'000) + 1'000'000'000) % 1'000'000'000;
  if (fraction == 0) return text;
  std::string digits = std::to_string(fraction);
  digits.insert(0, 9 - digits.size(), '0');
  digits.erase(digits.find_last_not_of('0') + 1);
  text.pop_back();  // the Z
  return text + "." + digits + "Z";
}

HealthAnswer json_answer(bool good, std::string body) {
  return {.status = good ? kOk : kUnavailable,
          .headers = {{"Content-Type", "application/json"}, {"X-Content-Type-Options", "nosniff"}},
          .body = std::move(body)};
}

bool is_eligible(const kube::NodeRecord* node) {
  return node != nullptr && !node->meta.terminating && !node->to_be_deleted;
}

}  // namespace

HealthAnswer service_health_answer(std::string_view ns, std::string_view service,
                                   std::uint32_t local_ready, bool proxy_healthy) {
  const std::string count = std::to_string(local_ready);
  std::string body = "{\n\t\"service\": {\n\t\t\"namespace\": " + json_text(ns) +
                     ",\n\t\t\"name\": " + json_text(service) +
                     "\n\t},\n\t\"localEndpoints\": " + count +
                     ",\n\t\"serviceProxyHealthy\": " + std::string(to_text(proxy_healthy)) + "\n}";
  HealthAnswer answer = json_answer(local_ready > 0 && proxy_healthy, std::move(body));
  answer.headers.emplace_back("X-Load-Balancing-Endpoint-Weight", count);
  return answer;
}

void ProxyHealth::updated(IpFamily family, WallTime now) {
  oldest_queued_.erase(family);
  last_updated_[family] = now;
}

bool ProxyHealth::is_late(IpFamily family, WallTime now) const {
  const auto queued = oldest_queued_.find(family);
  return queued != oldest_queued_.end() && now - queued->second >= patience_;
}

bool ProxyHealth::is_healthy(WallTime now) const {
  return std::none_of(last_updated_.begin(), last_updated_.end(),
                      [&](const auto& updated) { return is_late(updated.first, now); });
}

std::string ProxyHealth::body(WallTime now, bool answers_ok,
                              std::optional<bool> node_eligible) const {
  // Go's zero time, where nothing has been written yet.
  std::string last_updated = "0001-01-01T00:00:00Z";
  const auto newest =
      std::max_element(last_updated_.begin(), last_updated_.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  if (newest != last_updated_.end()) last_updated = precise_time(newest->second);
  // Readers take an old time for a sick proxy, so one that is well is always up to date.
  if (answers_ok) last_updated = precise_time(now);

  std::string text = "{\"lastUpdated\":" + json_text(last_updated) +
                     ",\"currentTime\":" + json_text(precise_time(now));
  if (node_eligible) text += ",\"nodeEligible\":" + std::string(to_text(*node_eligible));
  text += ",\"healthy\":" + std::string(to_text(is_healthy(now)));
  std::string families;
  for (const auto& [family, updated] : last_updated_)
    families += (families.empty() ? "" : ",") + json_text(proxima::to_text(family)) +
                ":{\"lastUpdated\":" + json_text(precise_time(updated)) +
                ",\"healthy\":" + std::string(to_text(!is_late(family, now))) + "}";
  if (!families.empty()) text += ",\"status\":{" + families + "}";
  return text + "}";
}

HealthAnswer ProxyHealth::livez(WallTime now) const {
  const bool good = is_healthy(now);
  return json_answer(good, body(now, good, std::nullopt));
}

HealthAnswer ProxyHealth::healthz(WallTime now, const kube::NodeRecord* node) const {
  const bool eligible = is_eligible(node);
  const bool good = is_healthy(now) && eligible;
  return json_answer(good, body(now, good, eligible));
}

}  // namespace proxima::proxy
