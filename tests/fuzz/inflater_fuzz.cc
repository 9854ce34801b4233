// SPDX-License-Identifier: Apache-2.0
// A compressed body gives the same bytes however it is cut, in pieces of a bounded size, or is
// refused; and what is compressed here comes out again. The first byte says which of the two is
// tried, and how long the pieces are that a body comes in.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/check.h"
#include "net/inflate.h"

namespace {

using proxima::net::Inflater;

constexpr std::size_t kLargestPiece = 256U << 10U;
// A bomb is as good at its beginning.
constexpr std::size_t kMostOutput = 64U << 10U;

// None: refused.
std::optional<std::string> inflated(std::string_view input, std::size_t piece_bytes) {
  Inflater inflater;
  std::string out;
  while (out.size() < kMostOutput) {
    const auto piece = inflater.feed(input.substr(0, piece_bytes));
    if (!piece) return std::nullopt;
    PROXIMA_CHECK(piece->output.size() <= kLargestPiece);
    PROXIMA_CHECK(piece->consumed <= std::min(piece_bytes, input.size()));
    out += piece->output;
    input.remove_prefix(piece->consumed);
    if (piece->consumed == 0 && piece->output.empty()) break;
  }
  out.resize(std::min(out.size(), kMostOutput));
  return out;
}

void check_pieces(std::string_view input, std::size_t piece_bytes) {
  const auto whole = inflated(input, std::max<std::size_t>(input.size(), 1));
  const auto cut = inflated(input, piece_bytes);
  // Damage behind the most that is looked at may be met by one and not by the other.
  if (whole.has_value() != cut.has_value())
    PROXIMA_CHECK((whole ? *whole : *cut).size() == kMostOutput);
  if (whole && cut) PROXIMA_CHECK(*whole == *cut);
}

void check_round_trip(std::string_view text) {
  text = text.substr(0, kMostOutput);
  const std::string packed = proxima::net::gzip(text);
  PROXIMA_CHECK(inflated(packed, packed.size()) == std::string(text));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view input(reinterpret_cast<const char*>(data) + 1, size - 1);
  if (data[0] == 0) {
    check_round_trip(input);
  } else {
    check_pieces(input, data[0]);
  }
  return 0;
}
