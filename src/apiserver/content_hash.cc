// SPDX-License-Identifier: Apache-2.0
#include "apiserver/content_hash.h"

#include <fmt/format.h>

#include <cstdint>

namespace proxima::apiserver {
namespace {

// FNV-1a.
std::uint64_t hash_from(std::uint64_t start, std::string_view content) {
  std::uint64_t hash = start;
  for (const char byte : content) {
    hash ^= static_cast<unsigned char>(byte);
    hash *= 0x100000001B3ULL;
  }
  return hash;
}

}  // namespace

std::string content_hash(std::string_view content) {
  const std::uint64_t first = hash_from(0xCBF29CE484222325ULL, content);
  // A second one that starts elsewhere and knows the length.
  const std::uint64_t second = hash_from(first ^ content.size(), content);
  return fmt::format("{:016X}{:016X}", first, second);
}

}  // namespace proxima::apiserver
