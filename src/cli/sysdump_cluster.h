// SPDX-License-Identifier: Apache-2.0
// The part of a sysdump that comes from the API server.
#pragma once

#include <string>

#include "cli/console.h"
#include "kube/api.h"
#include "sysdump/sysdump_archive.h"

namespace proxima::cli {

// Of one namespace, or of all when `ns` is empty. What cannot be read is noted in the archive, and
// a warning.
void collect_cluster(kube::KubeApi& api, const std::string& ns, sysdump::SysdumpArchive& archive,
                     Console& console);

// Notes that nothing of the cluster could be read.
void note_missing_cluster(const std::string& why, sysdump::SysdumpArchive& archive);

}  // namespace proxima::cli
