// SPDX-License-Identifier: Apache-2.0
#include "telemetry/health_checks.h"

#include <algorithm>
#include <set>

#include "base/go_quote.h"
#include "telemetry/plain_response.h"

namespace proxima::telemetry {
namespace {

std::set<std::string_view> excluded_by(std::span<const net::QueryParameter> query) {
  std::set<std::string_view> out;
  for (const net::QueryParameter& parameter : query)
    if (parameter.name == "exclude") out.insert(parameter.value);
  return out;
}

std::string unknown_warning(const std::set<std::string_view>& names) {
  std::string out = "warn: some health checks cannot be excluded: no matches for ";
  for (const std::string_view name : names) {
    if (name != *names.begin()) out += ',';
    out += go_quote(name);
  }
  return out + '\n';
}

net::HttpResponse answer_all(const HealthRequest& request, std::span<const HealthCheck> checks,
                             const HealthObserver& observe) {
  const std::set<std::string_view> excluded = excluded_by(request.query);
  std::set<std::string_view> unknown = excluded;
  std::string text;
  bool healthy = true;
  for (const HealthCheck& check : checks) {
    unknown.erase(check.name);
    if (excluded.contains(check.name)) {
      text += "[+]" + check.name + " excluded: ok\n";
      continue;
    }
    const bool good = check.check().has_value();
    observe(check, good);
    healthy = healthy && good;
    text += good ? "[+]" + check.name + " ok\n" : "[-]" + check.name + " failed: reason withheld\n";
  }
  if (!unknown.empty()) text += unknown_warning(unknown);
  const std::string name(request.endpoint);
  if (!healthy) return plain_response(500, text + name + " check failed\n");
  const bool verbose = std::any_of(request.query.begin(), request.query.end(),
                                   [](const auto& each) { return each.name == "verbose"; });
  return plain_response(200, verbose ? text + name + " check passed\n" : "ok");
}

}  // namespace

net::HttpResponse answer_health(const HealthRequest& request, std::span<const HealthCheck> checks,
                                const HealthObserver& observe) {
  if (request.rest.empty() || request.rest == "/") return answer_all(request, checks, observe);
  for (const HealthCheck& check : checks) {
    if (request.rest.substr(1) != check.name) continue;
    const Status health = check.check();
    if (health) return plain_response(200, "ok");
    return plain_response(500, "internal server error: " + health.error().message + '\n');
  }
  return plain_response(404, "404 page not found\n");
}

}  // namespace proxima::telemetry
