// SPDX-License-Identifier: Apache-2.0
// Reads the files of a .tar.gz that is in memory, one after another. Made for archives of
// strangers: nothing is written anywhere, names are not followed, links are passed over, and a
// small archive that unpacks to a huge one ends at the limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "archive/tar_header.h"
#include "base/result.h"
#include "net/inflate.h"

namespace proxima::archive {

inline constexpr std::string_view kGzipMark = "\x1f\x8b";

struct ArchiveLimits {
  std::size_t entries = 0;  // headers of every kind
  std::uint64_t bytes = 0;  // of everything in it, unpacked
};

struct ArchivedFile {
  std::string name;  // nothing has looked at it
  std::string text;
};

class ArchiveReader {
 public:
  using Wanted = std::function<bool(std::string_view name)>;

  // Borrows the packed bytes.
  ArchiveReader(std::string_view packed, ArchiveLimits limits) : packed_(packed), limits_(limits) {}

  // The next regular file whose name is wanted; nullopt after the last. An error (InvalidInput):
  // damaged, cut off, over a limit, or no archive; nothing more is read then.
  Result<std::optional<ArchivedFile>> next(const Wanted& wanted);

 private:
  // At most so many of the bytes that come next; empty at the end.
  Result<std::string_view> take(std::uint64_t most);
  // Exactly so many, or fewer at the end.
  Result<std::string> take_text(std::uint64_t bytes);
  Status pass_over(std::uint64_t bytes);
  // None at the end of the archive.
  Result<std::optional<TarHeader>> next_header();
  Result<std::string> contents(const TarHeader& header);
  Status check_attributes(const TarHeader& header);
  Error too_large() const;

  std::string_view packed_;
  ArchiveLimits limits_;
  net::Inflater inflater_;
  std::string_view piece_;  // unpacked and not taken yet
  std::uint64_t taken_ = 0;
  std::size_t entries_ = 0;
};

}  // namespace proxima::archive
