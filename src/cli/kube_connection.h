// SPDX-License-Identifier: Apache-2.0
// The API server that the flags of a live cluster mean.
#pragma once

#include <functional>
#include <memory>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "cli/options.h"
#include "kube/connect.h"

namespace proxima::cli {

class KubeConnection {
 public:
  // Sends nothing yet. An error says which kubeconfig and context.
  static Result<KubeConnection> find(const KubeOptions& options);

  // For the user to see once.
  const std::vector<std::string>& warnings() const { return connection_.warnings; }
  const std::string& server() const { return connection_.cluster.server; }

  // Each is a client of its own, with its own connections and its own limits. Warnings of the
  // server go to `on_warning`. The clock must outlive it.
  Result<std::unique_ptr<kube::KubeApi>> connect(const kube::RateLimits& limits,
                                                 std::function<void(std::string_view)> on_warning,
                                                 Clock& clock) const;

  // A client of another server that takes the same requests: with the token in `token_file`, or
  // with the credentials for the API server where that is empty. Answers are taken as they come,
  // without retries. The clock must outlive it.
  struct OtherServer {
    std::string url;
    std::string ca_pem;
    std::string token_file;
  };
  Result<std::unique_ptr<kube::KubeApi>> connect_to(const OtherServer& server, Clock& clock) const;

 private:
  kube::Connection connection_;
  kube::Environment environment_;
};

}  // namespace proxima::cli
