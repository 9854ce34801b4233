// SPDX-License-Identifier: Apache-2.0
// Small files that configure a client: kubeconfigs, certificates, tokens.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace proxima::kube {

inline constexpr std::size_t kMaxConfigBytes = 4U << 20U;

// The whole file. The error names it and never quotes it; NotFound when it is not there.
Result<std::string> read_config_file(const std::string& path);

}  // namespace proxima::kube
