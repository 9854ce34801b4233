// SPDX-License-Identifier: Apache-2.0
// Checksums in the store's file. SQLite notices damage to its own structures, but not a changed
// byte in a text.
#pragma once

#include <cstdint>
#include <string_view>

namespace proxima::apiserver {

// Of the fields of one row, each with its length. A change of a single byte is always noticed.
class RowChecksum {
 public:
  RowChecksum& add(std::string_view text);
  RowChecksum& add(std::int64_t number);
  std::int64_t value() const { return static_cast<std::int64_t>(hash_); }

 private:
  std::uint64_t hash_ = 0xCBF29CE484222325ULL;  // FNV-1a
};

}  // namespace proxima::apiserver
