// SPDX-License-Identifier: Apache-2.0
// Credentials from a program, as client.authentication.k8s.io v1 and v1beta1 describe it. The
// program is run when there are none, when they have expired and when the server refused them;
// never twice at the same time.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/timestamp.h"
#include "kube/credentials.h"
#include "kube/kubeconfig.h"

namespace proxima::kube {

std::unique_ptr<CredentialSource> make_exec_credentials(ExecEntry exec, ClusterEntry cluster,
                                                        Environment environment, Clock& clock);

// The JSON that the program finds in KUBERNETES_EXEC_INFO. `ca_pem` is the cluster's authority.
std::string exec_info(const ExecEntry& exec, const ClusterEntry& cluster, const std::string& ca_pem,
                      bool interactive);

struct ExecAnswer {
  Credentials credentials;
  std::optional<WallTime> expires;
};
// What the program printed. The error never quotes it.
Result<ExecAnswer> parse_exec_answer(std::string_view text, std::string_view api_version);

}  // namespace proxima::kube
