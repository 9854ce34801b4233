// SPDX-License-Identifier: Apache-2.0
// A slice as the JSON that is sent to the API server. Pure.
#pragma once

#include <string>

#include "slices/slice_draft.h"

namespace proxima::slices {

// What is missing in the record is missing in the text; what belongs to the server (uid,
// generation, times) is left to it. Without a version the server replaces whatever is there.
std::string render_slice(const SliceDraft& draft);

}  // namespace proxima::slices
