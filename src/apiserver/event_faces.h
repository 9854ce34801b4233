// SPDX-License-Identifier: Apache-2.0
// Events have two faces, core/v1 and events.k8s.io/v1, of the same stored objects. They are stored
// as core/v1.
#pragma once

#include <boost/json/fwd.hpp>

#include "apiserver/resource.h"

namespace proxima::apiserver {

inline bool has_own_face(const ResourceType& type) { return type.kind != type.stored_as; }

// From the stored form to the one that `type` shows, and back. Other kinds stay as they are.
boost::json::object to_face(const ResourceType& type, boost::json::object stored);
boost::json::object from_face(const ResourceType& type, boost::json::object shown);

}  // namespace proxima::apiserver
