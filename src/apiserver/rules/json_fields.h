// SPDX-License-Identifier: Apache-2.0
// Reading and changing objects whose fields are known to have their type. What is missing reads as
// Go's zero value: "", 0, false, nothing.
#pragma once

#include <boost/json/fwd.hpp>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace proxima::apiserver::rules {

using JsonArray = boost::json::array;
using JsonFields = boost::json::object;

// Not there, null, or of another type: "".
std::string_view text_at(const JsonFields& object, std::string_view key);
std::string_view text_of(const boost::json::value& value);
// nullopt: not there, or null.
std::optional<std::string_view> find_text(const JsonFields& object, std::string_view key);
std::int64_t number_at(const JsonFields& object, std::string_view key);
std::optional<std::int64_t> find_number(const JsonFields& object, std::string_view key);
bool flag_at(const JsonFields& object, std::string_view key);
// The member, or null for one that is not there.
const boost::json::value& value_at(const JsonFields& object, std::string_view key);
// Not there: one without members, one without items.
const JsonFields& object_at(const JsonFields& object, std::string_view key);
const JsonFields& object_of(const boost::json::value& value);
const JsonArray& array_at(const JsonFields& object, std::string_view key);
// Not null.
bool has(const JsonFields& object, std::string_view key);
// Of a list of texts.
std::vector<std::string_view> texts_at(const JsonFields& object, std::string_view key);
// What Go iterates in any order, in one that does not change.
std::vector<std::string_view> sorted_keys(const JsonFields& object);

// Made when it is not there.
JsonFields& make_object(JsonFields& object, std::string_view key);
// nullptr when it is not there.
JsonArray* find_array(JsonFields& object, std::string_view key);
JsonFields* find_object(JsonFields& object, std::string_view key);
// Sets a text that is not there or "".
void default_text(JsonFields& object, std::string_view key, std::string_view value);
// Sets what is not there.
void default_value(JsonFields& object, std::string_view key, const boost::json::value& value);
// Takes over `from`'s member, or its absence.
void copy_member(JsonFields& object, const JsonFields& from, std::string_view key);
// Equal, where null and empty containers are the same as missing.
bool same(const boost::json::value& a, const boost::json::value& b);
bool same_member(const JsonFields& a, const JsonFields& b, std::string_view key);

}  // namespace proxima::apiserver::rules
