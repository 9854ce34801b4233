// SPDX-License-Identifier: Apache-2.0
#include "cli/flag_row.h"

#include <iterator>

namespace proxima::cli {

void append(FlagRows& rows, FlagRows more) {
  rows.insert(rows.end(), std::make_move_iterator(more.begin()),
              std::make_move_iterator(more.end()));
}

}  // namespace proxima::cli
