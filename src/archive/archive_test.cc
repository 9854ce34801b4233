// SPDX-License-Identifier: Apache-2.0
// What is packed is read again, and archives of strangers end with an error in words.
#include <gtest/gtest.h>

#include <vector>

#include "archive/archive_reader.h"
#include "archive/archive_writer.h"

namespace proxima::archive {
namespace {

constexpr ArchiveLimits kLimits = {.entries = 4, .bytes = 64U << 10U};

bool everything(std::string_view) { return true; }

// The files as "name=text", one a line, and how it ends where that is an error.
std::string read_all(std::string_view packed, ArchiveLimits limits = kLimits,
                     const ArchiveReader::Wanted& wanted = everything) {
  ArchiveReader reader(packed, limits);
  std::string out;
  for (;;) {
    auto file = reader.next(wanted);
    if (!file) return out + "error: " + file.error().message;
    if (!*file) return out;
    out += (*file)->name + "=" + (*file)->text + "\n";
  }
}

std::string entry(std::string_view name, std::string_view text, char type = '0') {
  std::string block = render_tar_header(name, text.size(), WallTime());
  unsigned sum = 0;
  block[156] = type;
  block.replace(148, 8, "        ");
  for (const char c : block) sum += static_cast<unsigned char>(c);
  for (std::size_t i = 154; i-- > 148; sum /= 8) block[i] = static_cast<char>('0' + sum % 8);
  return block + std::string(text) + std::string(tar_padding(text.size()), '\0');
}

const std::string kEnd(2 * kTarBlockBytes, '\0');

TEST(Archive, WhatIsPackedIsReadAgain) {
  ArchiveWriter writer{WallTime()};
  const std::string large(40'000, 'x');
  writer.add("a.json", "{}");
  writer.add("empty", "");
  writer.add("b/large.txt", large);
  const std::string packed = std::move(writer).finish();
  EXPECT_LT(packed.size(), 1'000U);
  EXPECT_EQ(read_all(packed), "a.json={}\nempty=\nb/large.txt=" + large + "\n");
}

TEST(Archive, EqualFilesGiveEqualBytes) {
  const auto packed = [] {
    ArchiveWriter writer{WallTime(std::chrono::hours(1'000))};
    writer.add("a", "1");
    return std::move(writer).finish();
  };
  EXPECT_EQ(packed(), packed());
}

TEST(Archive, FilesThatAreNotWantedArePassedOver) {
  const std::string packed = net::gzip(entry("a", "1") + entry("b", "2") + entry("c", "3") + kEnd);
  EXPECT_EQ(read_all(packed, kLimits, [](std::string_view name) { return name == "b"; }), "b=2\n");
}

struct ArchiveRow {
  const char* what;
  std::string packed;
  std::string outcome;
};

class ForeignArchive : public ::testing::TestWithParam<ArchiveRow> {};

TEST_P(ForeignArchive, IsReadOrRefusedInWords) {
  const ArchiveRow& row = GetParam();
  EXPECT_EQ(read_all(row.packed), row.outcome) << row.what;
}

constexpr const char* kNoArchive = "error: packed with gzip, and no tar archive: unpack it first";
constexpr const char* kCutOff = "error: the archive is cut off";
constexpr const char* kTooLarge = "error: the archive unpacks to more than 65536 bytes";
constexpr const char* kTooLong =
    "error: a name in the archive is too long for a header; pack it again with shorter names";

// 10 MB that are 10 kB for gzip.
std::string bomb() { return std::string(10U << 20U, '\0'); }

// A header that says more than follows it.
std::string announced(std::uint64_t bytes) { return render_tar_header("a", bytes, WallTime()); }

INSTANTIATE_TEST_SUITE_P(
    Rows, ForeignArchive,
    ::testing::Values(
        ArchiveRow{"no file at all", net::gzip(kEnd), ""},
        ArchiveRow{"the last blocks left out", net::gzip(entry("a", "1")), "a=1\n"},
        ArchiveRow{"several members of gzip", net::gzip(entry("a", "1")) + net::gzip(kEnd),
                   "a=1\n"},
        ArchiveRow{"something behind the end", net::gzip(entry("a", "1") + kEnd) + "rest", "a=1\n"},
        ArchiveRow{"folders, links and devices are passed over",
                   net::gzip(entry("d/", "", '5') + entry("/etc/passwd", "", '2') +
                             entry("null", "", '3') + entry("a", "1")),
                   "a=1\n"},
        ArchiveRow{"names are not looked at", net::gzip(entry("../../etc/cron.d/x", "1") + kEnd),
                   "../../etc/cron.d/x=1\n"},
        ArchiveRow{"times and owners do not matter",
                   net::gzip(entry("x", "20 mtime=1700000000\n", 'x') + entry("a", "1") + kEnd),
                   "a=1\n"},
        ArchiveRow{"a name in attributes", net::gzip(entry("x", "11 path=ab\n", 'x')), kTooLong},
        ArchiveRow{"a name of GNU tar", net::gzip(entry("x", "abc", 'L')), kTooLong},
        ArchiveRow{"a text", net::gzip("kind: Node\n"), kNoArchive},
        ArchiveRow{"a long text", net::gzip(std::string(5'000, 'x')), kNoArchive},
        ArchiveRow{"nothing", net::gzip(""), kNoArchive},
        ArchiveRow{"not even gzip", "\x1f\x8b hello, this is no gzip",
                   "error: the archive is damaged: not what gzip packed"},
        ArchiveRow{"cut off in gzip's header", "\x1f\x8b\x08", kCutOff},
        ArchiveRow{"cut off in a header", net::gzip(entry("a", "1") + std::string(100, 'x')),
                   "a=1\n" + std::string(kCutOff)},
        ArchiveRow{"cut off in a file", net::gzip(announced(3'000) + "abc"),
                   "error: a: the archive is cut off"},
        ArchiveRow{"damaged between files", net::gzip(entry("a", "1") + std::string(512, 'x')),
                   "a=1\nerror: the archive is damaged: checksum: a header without a number"},
        ArchiveRow{"a file that says it is huge", net::gzip(announced(1U << 30U)), kTooLarge},
        ArchiveRow{"a bomb in a file", net::gzip(announced(10U << 20U) + bomb()), kTooLarge},
        ArchiveRow{"a bomb of many members",
                   net::gzip(entry("a", std::string(60'000, '\0'))) +
                       net::gzip(entry("b", std::string(60'000, '\0'))),
                   "a=" + std::string(60'000, '\0') + "\n" + kTooLarge},
        ArchiveRow{"more entries than are read",
                   net::gzip(entry("a", "") + entry("b", "") + entry("c", "") + entry("d", "") +
                             entry("e", "")),
                   "a=\nb=\nc=\nd=\nerror: more than 4 entries in the archive"}),
    [](const auto& row) { return "Row" + std::to_string(row.index); });

TEST(Archive, AttributesOfAFileAreNotLarge) {
  const std::string packed = net::gzip(entry("x", std::string(70'000, 'x'), 'x'));
  EXPECT_EQ(read_all(packed, {.entries = 4, .bytes = 1U << 20U}),
            "error: more attributes in the archive than any file has");
}

TEST(Archive, ABombIsRefusedWithoutUnpackingIt) {
  const std::string packed = net::gzip(announced(10U << 20U) + bomb());
  EXPECT_LT(packed.size(), 60'000U);
  EXPECT_EQ(read_all(packed, {.entries = 4, .bytes = 1U << 20U}),
            "error: the archive unpacks to more than 1048576 bytes");
}

}  // namespace
}  // namespace proxima::archive
