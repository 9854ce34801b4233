// SPDX-License-Identifier: Apache-2.0
// Where the next page of a list begins. Clients hand it back unread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "apiserver/status_error.h"
#include "apiserver/store.h"

namespace proxima::apiserver {

struct ContinueToken {
  std::int64_t revision = 0;  // −1: the latest, for a list that may be inconsistent
  Store::Position after;
  std::int64_t remaining = -1;  // objects after `after`; −1: not known

  std::string encode() const;
  // A refusal (400) for what no server gave.
  static Outcome<ContinueToken> decode(std::string_view text);
};

}  // namespace proxima::apiserver
