// SPDX-License-Identifier: Apache-2.0
#include "archive/archive_reader.h"

#include <algorithm>

namespace proxima::archive {
namespace {

// A few lines about a file: times, its owner, its name.
constexpr std::uint64_t kAttributesBytesMax = 64U << 10U;

Error cut_off() { return invalid_input("the archive is cut off"); }

Error name_too_long() {
  return invalid_input(
      "a name in the archive is too long for a header; pack it again with shorter names");
}

}  // namespace

Error ArchiveReader::too_large() const {
  return invalid_input("the archive unpacks to more than " + std::to_string(limits_.bytes) +
                       " bytes");
}

Result<std::string_view> ArchiveReader::take(std::uint64_t most) {
  while (piece_.empty()) {
    const auto fed = inflater_.feed(packed_);
    if (!fed) return invalid_input("the archive is damaged: not what gzip packed");
    packed_.remove_prefix(fed->consumed);
    piece_ = fed->output;
    if (fed->consumed == 0 && piece_.empty()) return std::string_view();
  }
  const std::string_view taken =
      piece_.substr(0, static_cast<std::size_t>(std::min<std::uint64_t>(most, piece_.size())));
  piece_.remove_prefix(taken.size());
  taken_ += taken.size();
  if (taken_ > limits_.bytes) return too_large();
  return taken;
}

Result<std::string> ArchiveReader::take_text(std::uint64_t bytes) {
  std::string text;
  while (text.size() < bytes) {
    const auto taken = take(bytes - text.size());
    if (!taken) return taken.error();
    if (taken->empty()) break;
    text += *taken;
  }
  return text;
}

Status ArchiveReader::pass_over(std::uint64_t bytes) {
  while (bytes > 0) {
    const auto taken = take(bytes);
    if (!taken) return taken.error();
    if (taken->empty()) return cut_off();
    bytes -= taken->size();
  }
  return Unit{};
}

Result<std::optional<TarHeader>> ArchiveReader::next_header() {
  const auto block = take_text(kTarBlockBytes);
  if (!block) return block.error();
  // Some programs leave the last blocks out.
  if (block->empty() && entries_ > 0 && inflater_.complete()) return std::optional<TarHeader>();
  if (entries_ == 0 && inflater_.complete() && block->size() < kTarBlockBytes)
    return invalid_input("packed with gzip, and no tar archive: unpack it first");
  if (block->size() < kTarBlockBytes) return cut_off();
  if (is_tar_end(*block)) return std::optional<TarHeader>();
  auto header = parse_tar_header(*block);
  if (!header && entries_ == 0)
    return invalid_input("packed with gzip, and no tar archive: unpack it first");
  if (!header) return std::move(header).error().in("the archive is damaged");
  if (++entries_ > limits_.entries)
    return invalid_input("more than " + std::to_string(limits_.entries) +
                         " entries in the archive");
  // What it says is as good as what is there: nothing is unpacked to find out.
  if (header->bytes > limits_.bytes - taken_) return too_large();
  return std::optional(std::move(*header));
}

Result<std::string> ArchiveReader::contents(const TarHeader& header) {
  auto text = take_text(header.bytes);
  if (!text) return text;
  if (text->size() < header.bytes) return cut_off();
  if (auto padding = pass_over(tar_padding(header.bytes)); !padding) return padding.error();
  return text;
}

// Times and owners do not matter; that the next header does not have the whole name does.
Status ArchiveReader::check_attributes(const TarHeader& header) {
  if (header.bytes > kAttributesBytesMax)
    return invalid_input("more attributes in the archive than any file has");
  const auto text = contents(header);
  if (!text) return text.error();
  if (text->find(" path=") != std::string::npos) return name_too_long();
  return Unit{};
}

Result<std::optional<ArchivedFile>> ArchiveReader::next(const Wanted& wanted) {
  for (;;) {
    auto header = next_header();
    if (!header) return std::move(header).error();
    if (!*header) return std::optional<ArchivedFile>();
    const TarHeader& entry = **header;
    if (entry.kind == TarHeader::Kind::LongName) return name_too_long();
    if (entry.kind == TarHeader::Kind::Attributes) {
      if (auto known = check_attributes(entry); !known) return std::move(known).error();
      continue;
    }
    if (entry.kind != TarHeader::Kind::File || !wanted(entry.name)) {
      const Status passed = pass_over(entry.bytes + tar_padding(entry.bytes));
      if (!passed) return passed.error();
      continue;
    }
    auto text = contents(entry);
    if (!text) return std::move(text).error().in(entry.name);
    return std::optional(ArchivedFile{entry.name, std::move(*text)});
  }
}

}  // namespace proxima::archive
