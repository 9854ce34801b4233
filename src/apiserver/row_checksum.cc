// SPDX-License-Identifier: Apache-2.0
#include "apiserver/row_checksum.h"

namespace proxima::apiserver {

RowChecksum& RowChecksum::add(std::string_view text) {
  add(static_cast<std::int64_t>(text.size()));
  std::uint64_t hash = hash_;
  for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3ULL;
  hash_ = hash;
  return *this;
}

RowChecksum& RowChecksum::add(std::int64_t number) {
  auto bits = static_cast<std::uint64_t>(number);
  for (int i = 0; i < 8; ++i, bits >>= 8U) hash_ = (hash_ ^ (bits & 0xFFU)) * 0x100000001B3ULL;
  return *this;
}

}  // namespace proxima::apiserver
