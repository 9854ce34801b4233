// SPDX-License-Identifier: Apache-2.0
#include "cli/kube_connection.h"

#include <unistd.h>

#include "cli/version.h"

namespace proxima::cli {
namespace {

kube::Environment all_variables() {
  kube::Environment out;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos)
      out.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return out;
}

}  // namespace

Result<KubeConnection> KubeConnection::find(const KubeOptions& options) {
  KubeConnection out;
  out.environment_ = all_variables();
  kube::ConnectionOptions where;
  where.kubeconfig = options.kubeconfig;
  where.context = options.context;
  where.environment = out.environment_;
  auto found = kube::find_connection(where);
  if (!found) return std::move(found).error();
  out.connection_ = std::move(*found);
  return out;
}

Result<std::unique_ptr<kube::KubeApi>> KubeConnection::connect(
    const kube::RateLimits& limits, std::function<void(std::string_view)> on_warning,
    Clock& clock) const {
  kube::HttpApiOptions http;
  http.user_agent = kube::user_agent(version());
  http.limits = limits;
  http.on_warning = std::move(on_warning);
  auto api = kube::connect(connection_, environment_, std::move(http), clock);
  if (!api) return std::move(api).error().in(connection_.origin);
  return api;
}

Result<std::unique_ptr<kube::KubeApi>> KubeConnection::connect_to(const OtherServer& server,
                                                                  Clock& clock) const {
  kube::Connection other;
  other.origin = server.url;
  other.cluster.server = server.url;
  other.cluster.ca_pem = server.ca_pem;
  if (server.token_file.empty()) {
    other.user = connection_.user;
  } else {
    other.user.token_file = server.token_file;
  }
  kube::HttpApiOptions http;
  http.user_agent = kube::user_agent(version());
  http.max_retries = 0;
  return kube::connect(other, environment_, std::move(http), clock);
}

}  // namespace proxima::cli
