// SPDX-License-Identifier: Apache-2.0
// The fields of a protobuf message, one after another. Nothing is copied.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace proxima::apiserver {

enum class WireType : std::uint8_t { Varint = 0, Fixed64 = 1, Bytes = 2, Fixed32 = 5 };

struct WireField {
  std::uint64_t number = 0;
  WireType type = WireType::Varint;
  std::uint64_t value = 0;  // of everything but Bytes
  std::string_view bytes;   // of Bytes
};

class WireReader {
 public:
  explicit WireReader(std::string_view message) : rest_(message) {}

  bool at_end() const { return rest_.empty(); }
  // nullopt: no protobuf, or cut off.
  std::optional<WireField> next();
  std::optional<std::uint64_t> varint();

 private:
  std::optional<std::uint64_t> fixed(std::size_t bytes);

  std::string_view rest_;
};

}  // namespace proxima::apiserver
