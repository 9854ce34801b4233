// SPDX-License-Identifier: Apache-2.0
// The three ways to patch an object. Pure; what comes out is checked by the caller as an update.
#pragma once

#include <boost/json/fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/schema.h"
#include "apiserver/status_error.h"

namespace proxima::apiserver {

// RFC 6902, at most 10,000 operations. Refusals as upstream: 400 for a patch that is none, 422 for
// one that does not apply.
Outcome<boost::json::object> apply_json_patch(const boost::json::object& object,
                                              const boost::json::value& patch);
// 'json patch unknown field "[0].extra"': for clients that validate fields.
std::vector<std::string> json_patch_findings(const boost::json::value& patch);
// RFC 7386.
Outcome<boost::json::object> apply_merge_patch(const boost::json::object& original,
                                               const boost::json::value& patch);
// What the lists that a strategic merge patch merges may have altogether, in the object and in the
// patch. Upstream has no limit.
inline constexpr std::size_t kMaxMergedItems = 5'000;
// Kubernetes' own, with its directives ($patch, $setElementOrder, $deleteFromPrimitiveList,
// $retainKeys).
Outcome<boost::json::object> apply_strategic_patch(const TypeInfo& type,
                                                   const boost::json::object& original,
                                                   const boost::json::value& patch);

// A patched object that is none of its kind: 422, with the object (or, for a strategic patch, the
// patch) as `shown` and the decoder's complaint.
StatusError refused_patch_result(std::string_view shown, std::string_view complaint);

}  // namespace proxima::apiserver
