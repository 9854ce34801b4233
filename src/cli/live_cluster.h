// SPDX-License-Identifier: Apache-2.0
// The cluster behind a kubeconfig, read once: the lists that plans are made of.
#pragma once

#include "base/result.h"
#include "cli/console.h"
#include "cli/kube_connection.h"
#include "cli/options.h"
#include "manifest/read_manifests.h"

namespace proxima::cli {

// Where no cluster is configured, the lab that this user runs on this machine.
Result<KubeConnection> cluster_or_lab(const KubeOptions& options, Console& console);

// Warnings of the connection go to the console. An error says which kubeconfig and context.
Result<manifest::Loaded> read_live_cluster(const KubeOptions& options,
                                           const manifest::ReadOptions& reading, Console& console);

}  // namespace proxima::cli
