// SPDX-License-Identifier: Apache-2.0
// Places in a JSON document as RFC 6901 writes them and as upstream's patch library reads them:
// what stands before the first slash does not matter, indices may count from the end.
#pragma once

#include <boost/json/fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace proxima::apiserver {

// "a~1b~0c" → "a/b~c"
std::string decode_pointer_token(std::string_view token);

struct PointerTarget {
  boost::json::value* container;  // an object or an array
  std::string key;                // in it, decoded
  std::size_t depth;              // of the container's members, the root's being 1
};

// nullopt: the way there is missing, or leads through something that holds nothing.
std::optional<PointerTarget> follow_pointer(boost::json::value& document, std::string_view pointer);

// As Go's strconv.Atoi, with its words.
Result<std::int64_t> parse_array_index(std::string_view text);
// An index of an array of `size`, counted from the end when negative.
Result<std::size_t> array_position(std::string_view text, std::size_t size);

}  // namespace proxima::apiserver
