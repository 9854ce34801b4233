// SPDX-License-Identifier: Apache-2.0
#include "archive/tar_header.h"

#include <algorithm>

#include "base/check.h"

namespace proxima::archive {
namespace {

struct Field {
  std::size_t at;
  std::size_t bytes;
};
constexpr Field kName = {0, 100};
constexpr Field kMode = {100, 8};
constexpr Field kUser = {108, 8};
constexpr Field kGroup = {116, 8};
constexpr Field kSize = {124, 12};
constexpr Field kModified = {136, 12};
constexpr Field kChecksum = {148, 8};
constexpr std::size_t kType = 156;
constexpr Field kMagic = {257, 8};
constexpr Field kPrefix = {345, 155};

constexpr std::string_view kUstar(
    "ustar\0"
    "00",
    8);
constexpr std::uint64_t kOwnerMode = 0600;

// Octal digits with zeros in front and a NUL behind.
void put_number(std::string& block, Field field, std::uint64_t number) {
  for (std::size_t i = field.bytes - 1; i-- > 0; number /= 8)
    block[field.at + i] = static_cast<char>('0' + number % 8);
  PROXIMA_CHECK(number == 0);
}

std::string_view text_of(std::string_view block, Field field) {
  const std::string_view text = block.substr(field.at, field.bytes);
  return text.substr(0, text.find('\0'));
}

// Octal digits between blanks and NULs; no digits are 0, as old programs wrote it.
Result<std::uint64_t> number_of(std::string_view block, Field field) {
  constexpr std::string_view kFilling(" \0", 2);
  std::string_view text = block.substr(field.at, field.bytes);
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  text = text.substr(0, text.find_first_of(kFilling));
  std::uint64_t number = 0;  // twelve digits have room
  for (const char c : text) {
    if (c < '0' || c > '7') return invalid_input("a header without a number");
    number = number * 8 + static_cast<std::uint64_t>(c - '0');
  }
  return number;
}

// The sum of all bytes, with blanks in the place of the sum itself.
std::uint64_t checksum_of(std::string_view block) {
  std::uint64_t sum = kChecksum.bytes * ' ';
  for (std::size_t i = 0; i < block.size(); ++i) {
    if (i < kChecksum.at || i >= kChecksum.at + kChecksum.bytes)
      sum += static_cast<unsigned char>(block[i]);
  }
  return sum;
}

TarHeader::Kind kind_of(char type) {
  switch (type) {
    case '0':
    case '\0':
    case '7':
      return TarHeader::Kind::File;
    case 'L':
      return TarHeader::Kind::LongName;
    case 'x':
    case 'g':
      return TarHeader::Kind::Attributes;
    default:
      return TarHeader::Kind::Other;
  }
}

// Only POSIX has a prefix; GNU tar uses these bytes for something else.
std::string name_of(std::string_view block) {
  const std::string_view name = text_of(block, kName);
  const std::string_view prefix = text_of(block, kPrefix);
  if (prefix.empty() || block.substr(kMagic.at, kMagic.bytes) != kUstar) return std::string(name);
  return std::string(prefix) + "/" + std::string(name);
}

}  // namespace

std::string render_tar_header(std::string_view name, std::uint64_t bytes, WallTime modified) {
  PROXIMA_CHECK(!name.empty() && name.size() <= kWrittenNameBytesMax);
  std::string block(kTarBlockBytes, '\0');
  block.replace(kName.at, name.size(), name);
  put_number(block, kMode, kOwnerMode);
  put_number(block, kUser, 0);
  put_number(block, kGroup, 0);
  put_number(block, kSize, bytes);
  const auto seconds = std::chrono::floor<std::chrono::seconds>(modified).time_since_epoch();
  put_number(block, kModified,
             static_cast<std::uint64_t>(
                 std::max<std::int64_t>(0, static_cast<std::int64_t>(seconds.count()))));
  block[kType] = '0';
  block.replace(kMagic.at, kMagic.bytes, kUstar);
  put_number(block, {kChecksum.at, kChecksum.bytes - 1}, checksum_of(block));
  block[kChecksum.at + kChecksum.bytes - 1] = ' ';
  return block;
}

Result<TarHeader> parse_tar_header(std::string_view block) {
  PROXIMA_CHECK(block.size() == kTarBlockBytes);
  PROXIMA_TRY(const std::uint64_t sum, number_of(block, kChecksum), "checksum");
  if (sum != checksum_of(block)) return invalid_input("a header with a wrong checksum");
  PROXIMA_TRY(const std::uint64_t bytes, number_of(block, kSize), "size");
  return TarHeader{.name = name_of(block), .bytes = bytes, .kind = kind_of(block[kType])};
}

bool is_tar_end(std::string_view block) {
  return std::all_of(block.begin(), block.end(), [](char c) { return c == '\0'; });
}

std::size_t tar_padding(std::uint64_t bytes) {
  return static_cast<std::size_t>((kTarBlockBytes - bytes % kTarBlockBytes) % kTarBlockBytes);
}

}  // namespace proxima::archive
