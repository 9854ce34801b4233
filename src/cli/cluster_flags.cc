// SPDX-License-Identifier: Apache-2.0
#include "cli/cluster_flags.h"

#include "cli/value_rows.h"

namespace proxima::cli {

FlagRows cluster_flags(KubeOptions& options, const std::string& group, const std::string& fallback,
                       const std::string& last) {
  return {
      text_row("--kubeconfig", "FILE", group, options.kubeconfig,
               "Use the cluster of this kubeconfig; " + fallback +
                   " is KUBECONFIG, then ~/.kube/config, then the Pod's service account" + last),
      text_row("--context", "NAME", group, options.context,
               "The context of the kubeconfig; its current one when not given"),
      value_row("--kube-api-qps", "NUMBER", group, options.qps, parse_amount,
                "Requests a second that are sent at most; 0: no limit (default 50)"),
      value_row("--kube-api-burst", "NUMBER", group, options.burst, parse_amount,
                "Requests that may be sent at once before that (default 100)"),
  };
}

}  // namespace proxima::cli
