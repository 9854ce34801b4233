// SPDX-License-Identifier: Apache-2.0
#include "archive/archive_writer.h"

#include "archive/tar_header.h"
#include "net/inflate.h"

namespace proxima::archive {
namespace {

// What is packed at once needs as much memory again.
constexpr std::size_t kPieceBytes = 16U << 20U;

}  // namespace

// Members of gzip one after the other are one file to whoever unpacks it.
void ArchiveWriter::pack(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::string_view piece = bytes.substr(0, kPieceBytes);
    packed_ += net::gzip(piece);
    bytes.remove_prefix(piece.size());
  }
}

void ArchiveWriter::add(std::string_view name, std::string_view text) {
  std::string blocks = render_tar_header(name, text.size(), modified_);
  blocks += text;
  blocks.append(tar_padding(text.size()), '\0');
  pack(blocks);
}

std::string ArchiveWriter::finish() && {
  constexpr std::size_t kEndBlocks = 2;
  pack(std::string(kEndBlocks * kTarBlockBytes, '\0'));
  return std::move(packed_);
}

}  // namespace proxima::archive
