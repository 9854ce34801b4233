// SPDX-License-Identifier: Apache-2.0
// Which API server to speak to, and as whom: chosen from kubeconfigs as kubectl chooses, or from
// the service account of the Pod that this runs in.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "kube/environment.h"
#include "kube/kubeconfig.h"

namespace proxima::kube {

struct ConnectionOptions {
  std::string kubeconfig;  // --kubeconfig: this file alone, which must exist
  std::string context;     // --context: instead of the current one
  Environment environment;
  std::string service_account_folder = "/var/run/secrets/kubernetes.io/serviceaccount";
};

struct Connection {
  ClusterEntry cluster;  // its server has a scheme
  UserEntry user;        // empty for a plain "http:" server: nobody's secrets go over the wire
  std::string ns;        // "default" when nothing says more
  std::string origin;    // "kubeconfig FILE, context NAME" or "service account": for messages
  std::vector<std::string> warnings;  // for the user to see once
};

// --kubeconfig; else the files of KUBECONFIG; else ~/.kube/config; else the service account. Errors
// name file, entry and field, never a secret.
Result<Connection> find_connection(const ConnectionOptions& options);

// The Pod's own service account. NotFound outside of a cluster.
Result<Connection> in_cluster_connection(const Environment& environment,
                                         const std::string& service_account_folder);

// The context `name` of `config`, or its current context when the name is empty.
Result<Connection> choose_context(const Kubeconfig& config, const std::string& name);

}  // namespace proxima::kube
