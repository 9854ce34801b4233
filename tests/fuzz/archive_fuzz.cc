// SPDX-License-Identifier: Apache-2.0
// Whatever is in an archive: files within the limits, or an error in words. The input is tried as
// an archive, and as what gzip has packed; and what is packed here comes out again.
#include <cstdint>
#include <string>
#include <string_view>

#include "archive/archive_reader.h"
#include "archive/archive_writer.h"
#include "base/check.h"

namespace {

using proxima::archive::ArchiveReader;

constexpr proxima::archive::ArchiveLimits kLimits = {.entries = 16, .bytes = 256U << 10U};

void check_reading(std::string_view packed) {
  ArchiveReader reader(packed, kLimits);
  std::size_t files = 0;
  std::uint64_t bytes = 0;
  for (;;) {
    const auto file = reader.next([](std::string_view name) { return !name.starts_with("skip"); });
    if (!file) {
      PROXIMA_CHECK(file.error().code == proxima::ErrorCode::InvalidInput);
      PROXIMA_CHECK(!file.error().message.empty());
      return;
    }
    if (!*file) return;
    bytes += proxima::archive::kTarBlockBytes + (*file)->text.size();
    PROXIMA_CHECK(++files <= kLimits.entries && bytes <= kLimits.bytes);
    PROXIMA_CHECK(!(*file)->name.starts_with("skip"));
  }
}

void check_round_trip(std::string_view text) {
  text = text.substr(0, kLimits.bytes / 4);
  proxima::archive::ArchiveWriter writer{proxima::WallTime()};
  writer.add("first", text);
  writer.add("second", "");
  const std::string packed = std::move(writer).finish();
  ArchiveReader reader(packed, kLimits);
  const auto everything = [](std::string_view) { return true; };
  const auto first = reader.next(everything);
  PROXIMA_CHECK(first && *first && (*first)->name == "first" && (*first)->text == text);
  const auto second = reader.next(everything);
  PROXIMA_CHECK(second && *second && (*second)->name == "second" && (*second)->text.empty());
  const auto end = reader.next(everything);
  PROXIMA_CHECK(end && !*end);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  check_reading(input);
  check_reading(proxima::net::gzip(input));
  check_round_trip(input);
  return 0;
}
