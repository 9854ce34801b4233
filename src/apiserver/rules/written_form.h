// SPDX-License-Identifier: Apache-2.0
// An object as upstream would write it: what is empty vanishes, what upstream always writes is
// there, members stand in upstream's order.
#pragma once

#include <boost/json/fwd.hpp>

#include "apiserver/schema.h"

namespace proxima::apiserver::rules {

boost::json::object written_form(const TypeInfo& type, boost::json::object object);

}  // namespace proxima::apiserver::rules
