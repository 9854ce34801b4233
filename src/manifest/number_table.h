// SPDX-License-Identifier: Apache-2.0
// Small files of numbers that people write by hand or export from a spreadsheet: traffic of
// services, prices between zones, demand of zones. YAML and JSON are mappings, as deep as one
// likes; CSV has the number in its last column. Either way a row is a path of names and a number:
//
//   shop/cart: 120        shop: {cart: 120}        {"shop/cart": 120}        shop,cart,120
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "core/model/limits.h"

namespace proxima::manifest {

struct NumberRow {
  std::string path;      // names joined by "/"; never empty
  double number = 0;     // within the limit
  std::size_t line = 0;  // from 1
};

// In the order of the text. Errors begin with "line 3: ". A path may stand there only once. An
// empty text has no rows. `limit` is that of each number.
Result<std::vector<NumberRow>> parse_number_table(std::string_view text, const model::Limit& limit);

// "zone-a=3,zone-b=1.5", for a command line.
Result<std::vector<NumberRow>> parse_number_list(std::string_view text, const model::Limit& limit);

}  // namespace proxima::manifest
