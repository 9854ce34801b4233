// SPDX-License-Identifier: Apache-2.0
#include "apiserver/protobuf_wire.h"

namespace proxima::apiserver {

std::optional<std::uint64_t> WireReader::varint() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (rest_.empty()) return std::nullopt;
    const auto byte = static_cast<unsigned char>(rest_.front());
    rest_.remove_prefix(1);
    value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    if ((byte & 0x80U) == 0) return value;
  }
  return std::nullopt;
}

std::optional<std::uint64_t> WireReader::fixed(std::size_t bytes) {
  if (rest_.size() < bytes) return std::nullopt;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < bytes; ++i)
    value |= static_cast<std::uint64_t>(static_cast<unsigned char>(rest_[i])) << (8 * i);
  rest_.remove_prefix(bytes);
  return value;
}

std::optional<WireField> WireReader::next() {
  const auto tag = varint();
  if (!tag) return std::nullopt;
  WireField out;
  out.number = *tag >> 3U;
  std::optional<std::uint64_t> value;
  switch (*tag & 7U) {
    case 0:
      value = varint();
      break;
    case 1:
      out.type = WireType::Fixed64;
      value = fixed(8);
      break;
    case 2:
      out.type = WireType::Bytes;
      value = varint();
      if (!value || *value > rest_.size()) return std::nullopt;
      out.bytes = rest_.substr(0, *value);
      rest_.remove_prefix(*value);
      return out;
    case 5:
      out.type = WireType::Fixed32;
      value = fixed(4);
      break;
    default:
      return std::nullopt;
  }
  if (!value) return std::nullopt;
  out.value = *value;
  return out;
}

}  // namespace proxima::apiserver
