// SPDX-License-Identifier: Apache-2.0
// Makes a .tar.gz in memory, which any tar unpacks. Equal files at an equal time give equal bytes.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/timestamp.h"

namespace proxima::archive {

class ArchiveWriter {
 public:
  // `modified` is the time that its files have.
  explicit ArchiveWriter(WallTime modified) : modified_(modified) {}

  // A name of at most kWrittenNameBytesMax.
  void add(std::string_view name, std::string_view text);
  // The archive. Nothing is added after it.
  std::string finish() &&;

 private:
  void pack(std::string_view bytes);

  WallTime modified_;
  std::string packed_;
};

}  // namespace proxima::archive
