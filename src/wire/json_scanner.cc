// SPDX-License-Identifier: Apache-2.0
#include "wire/json_scanner.h"

#include <bit>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace proxima::wire {
namespace {

constexpr std::size_t kBlock = 64;
static_assert(kBlock <= kScanPadding);

// One bit a byte of a block of 64.
struct BlockBits {
  std::uint64_t quotes = 0;
  std::uint64_t backslashes = 0;
  std::uint64_t opens = 0;
  std::uint64_t closes = 0;
};

#if defined(__SSE2__)
BlockBits read_block(const char* bytes) {
  BlockBits bits;
  for (unsigned part = 0; part < 4; ++part) {
    const __m128i chunk =
        _mm_loadu_si128(reinterpret_cast<const __m128i*>(bytes + std::size_t{16} * part));
    // '[' and '{', ']' and '}' differ only in this bit.
    const __m128i folded = _mm_or_si128(chunk, _mm_set1_epi8(0x20));
    auto equal = [&](__m128i value, char c) {
      const int mask = _mm_movemask_epi8(_mm_cmpeq_epi8(value, _mm_set1_epi8(c)));
      return static_cast<std::uint64_t>(static_cast<unsigned>(mask)) << (16 * part);
    };
    bits.quotes |= equal(chunk, '"');
    bits.backslashes |= equal(chunk, '\\');
    bits.opens |= equal(folded, '{');
    bits.closes |= equal(folded, '}');
  }
  return bits;
}
#else
BlockBits read_block(const char* bytes) {
  BlockBits bits;
  for (std::size_t i = 0; i < kBlock; ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    const char c = bytes[i];
    if (c == '"') bits.quotes |= bit;
    if (c == '\\') bits.backslashes |= bit;
    if (c == '{' || c == '[') bits.opens |= bit;
    if (c == '}' || c == ']') bits.closes |= bit;
  }
  return bits;
}
#endif

// Where strings are, carried from block to block.
class StringTracker {
 public:
  // The bytes of the next block that are inside a string (its opening quote counts).
  std::uint64_t inside(const BlockBits& bits) {
    const std::uint64_t quotes = bits.quotes & ~escaped(bits.backslashes);
    const std::uint64_t strings = parity_up_to_each_bit(quotes) ^ carried_string_;
    carried_string_ = (strings >> 63) != 0 ? ~std::uint64_t{0} : 0;
    return strings;
  }

 private:
  // The bytes that an unescaped backslash stands before.
  std::uint64_t escaped(std::uint64_t backslashes) {
    std::uint64_t result = carried_escape_ ? 1 : 0;
    backslashes &= ~result;
    carried_escape_ = false;
    while (backslashes != 0) {
      const int at = std::countr_zero(backslashes);
      carried_escape_ = at == 63;
      if (carried_escape_) break;
      result |= std::uint64_t{2} << at;
      backslashes &= ~(std::uint64_t{3} << at);
    }
    return result;
  }

  static std::uint64_t parity_up_to_each_bit(std::uint64_t bits) {
    for (int distance = 1; distance < 64; distance *= 2) bits ^= bits << distance;
    return bits;
  }

  std::uint64_t carried_string_ = 0;
  bool carried_escape_ = false;
};

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

}  // namespace

std::size_t end_of_container(std::string_view text, std::size_t at) {
  StringTracker strings;
  std::int64_t depth = 0;
  for (; at < text.size(); at += kBlock) {
    BlockBits bits = read_block(text.data() + at);
    const std::uint64_t outside = ~strings.inside(bits);
    bits.opens &= outside;
    bits.closes &= outside;
    const int closes = std::popcount(bits.closes);
    if (closes < depth) {  // cannot reach the end in this block: no need to look at each bracket
      depth += std::popcount(bits.opens) - closes;
      continue;
    }
    for (std::uint64_t left = bits.opens | bits.closes; left != 0; left &= left - 1) {
      const auto bit = static_cast<std::size_t>(std::countr_zero(left));
      depth += ((bits.opens >> bit) & 1) != 0 ? 1 : -1;
      if (depth == 0) return at + bit < text.size() ? at + bit + 1 : std::string_view::npos;
    }
  }
  return std::string_view::npos;
}

std::size_t end_of_container_bytewise(std::string_view text, std::size_t at) {
  std::int64_t depth = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      at = end_of_string(text, at);
      if (at == std::string_view::npos) return at;
      --at;
    }
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) return at + 1;
  }
  return std::string_view::npos;
}

std::size_t end_of_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return std::string_view::npos;
}

std::size_t skip_space(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

std::size_t end_of_value(std::string_view text, std::size_t at) {
  if (at >= text.size()) return std::string_view::npos;
  if (text[at] == '{' || text[at] == '[') return end_of_container(text, at);
  if (text[at] == '"') return end_of_string(text, at);
  while (at < text.size() && !is_space(text[at]) && text[at] != ',' && text[at] != '}' &&
         text[at] != ']')
    ++at;
  return at;
}

}  // namespace proxima::wire
