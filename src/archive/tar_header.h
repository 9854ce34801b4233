// SPDX-License-Identifier: Apache-2.0
// The block that stands before each file of a tar archive: POSIX ustar is written, and what other
// programs write instead of it is read. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/timestamp.h"

namespace proxima::archive {

// Headers are one block, contents are filled up to whole ones.
inline constexpr std::size_t kTarBlockBytes = 512;
// Longer names of written files are a mistake of the program.
inline constexpr std::size_t kWrittenNameBytesMax = 100;

struct TarHeader {
  enum class Kind : std::uint8_t {
    File,
    LongName,    // what follows is the name of the next file, which has no room in its header
    Attributes,  // what follows says more about the next file, or about all of them
    Other,       // a folder, a link, a device
  };
  std::string name;  // as it stands there: neither a path to follow nor fit to print
  std::uint64_t bytes = 0;
  Kind kind = Kind::File;
};

// Of a file that only its owner may read.
std::string render_tar_header(std::string_view name, std::uint64_t bytes, WallTime modified);
// `block` has kTarBlockBytes. An error: it is no header, or says a size that cannot be.
Result<TarHeader> parse_tar_header(std::string_view block);
// Whether it is the block that ends an archive.
bool is_tar_end(std::string_view block);
// What fills up contents of so many bytes.
std::size_t tar_padding(std::uint64_t bytes);

}  // namespace proxima::archive
