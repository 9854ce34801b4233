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

// What applying a patch may cost, in items moved or looked at. Every operation on a list moves the
// items behind its place, so 10,000 operations on one of 100,000 items would take seconds.
inline constexpr std::size_t kMaxPatchSteps = 10'000'000;

// The error's message is upstream's, which its server does not show to clients. Unsupported: the
// patch would take more than `steps_max`.
Result<boost::json::value> patch_document(boost::json::value document,
                                          const boost::json::array& operations,
                                          std::size_t steps_max = kMaxPatchSteps);

}  // namespace proxima::apiserver
