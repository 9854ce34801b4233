// SPDX-License-Identifier: Apache-2.0
// KubeApi over HTTP: credentials, rate limits, retries that the server asks for, warnings.
// Blocking; safe for concurrent use. A request that gets no answer is not sent again here: whether
// that is right, only its sender knows.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/split_mix.h"
#include "kube/api.h"
#include "kube/connection.h"
#include "kube/credentials.h"
#include "kube/rate_limiter.h"
#include "kube/warning_headers.h"
#include "net/http_client.h"

namespace proxima::kube {

// "proxima/1.2.3 (linux/amd64)"
std::string user_agent(std::string_view version);

struct HttpApiOptions {
  std::string user_agent = "proxima";
  RateLimits limits;
  std::uint32_t max_retries = 10;            // of one request, when the server says Retry-After
  std::chrono::seconds max_retry_after{60};  // a longer one is cut
  net::Deadlines deadlines;
  std::size_t max_body = 64U << 20U;  // of an answer that is taken whole
  WarningFilter::Show on_warning;     // each text once
  std::uint64_t seed = 0;             // of the jitter
};

class HttpApi final : public KubeApi {
 public:
  using MakeClient =
      std::function<Result<std::unique_ptr<net::HttpClient>>(net::HttpClientOptions)>;

  // The clock must outlive it. `make_client` is called again whenever certificates change.
  HttpApi(const Connection& connection, std::unique_ptr<CredentialSource> credentials,
          HttpApiOptions options, Clock& clock, MakeClient make_client);
  ~HttpApi() override;

  // Whether it could send at all. An error: certificates or a URL that cannot be used, credentials
  // that cannot be read.
  Status prepare(const net::Cancellation& cancellation);
  Result<ApiResponse> send(const ApiRequest& request,
                           const net::Cancellation& cancellation) override;
  Result<std::unique_ptr<net::HttpStream>> open(const ApiRequest& request,
                                                std::chrono::milliseconds idle,
                                                const net::Cancellation& cancellation) override;

 private:
  struct Attempt;
  struct Client;
  using Stream = std::unique_ptr<net::HttpStream>;

  Result<Stream> try_once(Attempt& attempt);
  Result<Stream> try_until_answered(Attempt& attempt);
  // Whether the same request is to be sent again after this answer; waits as long as it should.
  Result<bool> should_repeat(Attempt& attempt, net::HttpStream& answer);
  Result<std::shared_ptr<Client>> client_for(const Credentials& credentials);
  net::HttpRequest to_http(const ApiRequest& request, const Credentials& credentials) const;
  std::chrono::nanoseconds retry_delay(std::uint32_t retries, std::chrono::seconds asked);

  Connection connection_;
  std::unique_ptr<CredentialSource> credentials_;
  HttpApiOptions options_;
  Clock& clock_;
  MakeClient make_client_;
  RateLimiter limiter_;
  WarningFilter warnings_;
  std::mutex mutex_;
  SplitMix random_;
  std::unique_ptr<class RotatingFile> ca_file_;
  std::shared_ptr<Client> client_;
};

}  // namespace proxima::kube
