// SPDX-License-Identifier: Apache-2.0
#include "apiserver/health.h"

#include "apiserver/api_request.h"

namespace proxima::apiserver {
namespace {

struct Check {
  std::string_view name;
  bool ok = true;
};

std::string_view endpoint_of(std::string_view path) {
  for (const std::string_view name : {"/healthz", "/livez", "/readyz"})
    if (path == name || (path.starts_with(name) && path[name.size()] == '/')) return name;
  return {};
}

net::Reply all_checks(std::string_view endpoint, bool verbose, std::span<const Check> checks) {
  bool ok = true;
  std::string text;
  for (const Check& check : checks) {
    ok = ok && check.ok;
    text += (check.ok ? "[+]" : "[-]") + std::string(check.name) +
            (check.ok ? " ok\n" : " failed: reason withheld\n");
  }
  const std::string name(endpoint.substr(1));
  if (!ok) return text_reply(500, text + name + " check failed\n");
  return text_reply(200, verbose ? text + name + " check passed\n" : "ok");
}

}  // namespace

std::optional<net::Reply> answer_health(std::string_view path, const RequestQuery& query,
                                        const Store& store) {
  const std::string_view endpoint = endpoint_of(path);
  if (endpoint.empty()) return std::nullopt;
  // A server that cannot write is not ready, but lives: it still answers reads.
  const bool stores = endpoint == "/livez" || !store.failure();
  const Check checks[] = {{"ping"}, {"store", stores}};
  std::string_view rest = path.substr(endpoint.size());
  if (rest.empty() || rest == "/")
    return all_checks(endpoint, query.find("verbose").has_value(), checks);
  for (const Check& check : checks) {
    if (rest.substr(1) != check.name) continue;
    return check.ok ? text_reply(200, "ok")
                    : text_reply(500, "internal server error: reason withheld\n");
  }
  return text_reply(404, "404 page not found\n");
}

}  // namespace proxima::apiserver
