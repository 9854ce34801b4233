// SPDX-License-Identifier: Apache-2.0
// What each kind does to an object that is written: defaults, fields the server owns, validation,
// warnings. Pure: the caller allocates, stores and answers.
#pragma once

#include <boost/json/fwd.hpp>
#include <string>
#include <vector>

#include "apiserver/field_error.h"
#include "apiserver/resource.h"
#include "core/policy/feature_gates.h"

namespace proxima::apiserver {

enum class Subresource { None, Status };

// Fills in what upstream's defaulting fills in.
void apply_defaults(const ResourceType& type, boost::json::object& object);

// Before a create: erases what a client may not set (status, generation…) and fields of features
// that are off, sets generation 1 where the kind has one. Name, uid, timestamps and resourceVersion
// are the caller's.
void prepare_create(const ResourceType& type, const policy::FeatureGates& gates,
                    boost::json::object& object);
// Before an update of `old`: keeps what this request may not change (status, or everything but
// status), carries over or wipes dependent fields, raises generation when the kind's rule says so.
void prepare_update(const ResourceType& type, const policy::FeatureGates& gates,
                    Subresource subresource, boost::json::object& object,
                    const boost::json::object& old);

// Metadata included. After apply_defaults, prepare and, for Services, allocation.
std::vector<FieldError> validate_create(const ResourceType& type,
                                        const boost::json::object& object);
std::vector<FieldError> validate_update(const ResourceType& type, Subresource subresource,
                                        const boost::json::object& object,
                                        const boost::json::object& old);

// Texts of Warning headers; `old` is null on create.
std::vector<std::string> warnings_of(const ResourceType& type, const boost::json::object& object,
                                     const boost::json::object* old);

}  // namespace proxima::apiserver
