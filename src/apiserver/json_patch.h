// SPDX-License-Identifier: Apache-2.0
// RFC 6902 on any JSON document, with upstream's habits: "replace" of a member that an object lacks
// adds it, and a path counts from its first slash.
#pragma once

#include <boost/json/fwd.hpp>

#include "base/result.h"

namespace proxima::apiserver {

// What copying may add to a document altogether, in bytes of JSON; upstream's limit.
inline constexpr std::size_t kMaxCopiedBytes = 3U << 20U;
// How deep a document may become. Destroying or printing deeper ones would eat the stack.
inline constexpr std::size_t kMaxPatchedDepth = 1000;

// The error's message is upstream's, which its server does not show to clients.
Result<boost::json::value> patch_document(boost::json::value document,
                                          const boost::json::array& operations);

}  // namespace proxima::apiserver
