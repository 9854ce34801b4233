// SPDX-License-Identifier: Apache-2.0
#include "kube/connect.h"

namespace proxima::kube {

Result<std::unique_ptr<KubeApi>> connect(const Connection& connection,
                                         const Environment& environment, HttpApiOptions options,
                                         Clock& clock) {
  auto api = std::make_unique<HttpApi>(
      connection, make_credential_source(connection, environment, clock), std::move(options), clock,
      [](net::HttpClientOptions wanted) { return net::HttpClient::create(std::move(wanted)); });
  PROXIMA_TRY(Unit{}, api->prepare({}), "API server");
  return std::unique_ptr<KubeApi>(std::move(api));
}

}  // namespace proxima::kube
