// SPDX-License-Identifier: Apache-2.0
// The labelSelector of a request, read as upstream reads it and refused in its words. What kubectl
// prints for a bad -l comes from here.
#pragma once

#include <string_view>

#include "base/result.h"
#include "core/model/selector.h"

namespace proxima::apiserver {

// The error's message is upstream's, whole.
Result<model::Selector> parse_label_selector(std::string_view text);

}  // namespace proxima::apiserver
