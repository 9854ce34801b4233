// SPDX-License-Identifier: Apache-2.0
// The three ways to patch an object. Pure; what comes out is checked by the caller as an update.
#pragma once

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include "apiserver/schema.h"
#include "apiserver/status_error.h"

namespace proxima::apiserver {

// RFC 6902. Refusals as upstream: 400 for a patch that is none, 422 for one that does not apply.
Outcome<boost::json::object> apply_json_patch(const boost::json::object& object,
                                              const boost::json::value& patch);
// RFC 7386.
Outcome<boost::json::object> apply_merge_patch(const boost::json::object& object,
                                               const boost::json::value& patch);
// Kubernetes' own, with its directives ($patch, $setElementOrder, $deleteFromPrimitiveList,
// $retainKeys).
Outcome<boost::json::object> apply_strategic_patch(const TypeInfo& type,
                                                   const boost::json::object& object,
                                                   const boost::json::value& patch);

}  // namespace proxima::apiserver
