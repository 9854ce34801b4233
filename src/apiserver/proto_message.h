// SPDX-License-Identifier: Apache-2.0
// Writes a protobuf message field by field: texts, flags and messages, which is all that OpenAPI
// needs. Ends as the message's bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace proxima::apiserver {

class ProtoMessage {
 public:
  void text(std::uint32_t field, std::string_view content) {
    varint(field << 3U | 2U);
    varint(content.size());
    bytes_ += content;
  }
  void message(std::uint32_t field, const ProtoMessage& content) { text(field, content.bytes_); }
  void flag(std::uint32_t field, bool content) {
    varint(field << 3U);
    varint(content ? 1 : 0);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t number) {
    while (number >= 0x80) {
      bytes_ += static_cast<char>(number | 0x80U);
      number >>= 7U;
    }
    bytes_ += static_cast<char>(number);
  }

  std::string bytes_;
};

}  // namespace proxima::apiserver
