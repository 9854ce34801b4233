// SPDX-License-Identifier: Apache-2.0
// Objects as rows of a Table, as `kubectl get` shows them.
#pragma once

#include <boost/json/fwd.hpp>
#include <chrono>
#include <string_view>

#include "apiserver/resource.h"

namespace proxima::apiserver {

// What a row carries besides its cells.
enum class IncludeObject { None, Metadata, Object };

// The columns' definitions.
boost::json::array table_columns(const ResourceType& type);
// One row: {"cells": […], "object": …}. Ages are relative to `now`.
boost::json::object table_row(const ResourceType& type, const boost::json::object& from,
                              IncludeObject include, std::chrono::system_clock::time_point now);

}  // namespace proxima::apiserver
