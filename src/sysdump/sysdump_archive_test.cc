// SPDX-License-Identifier: Apache-2.0
#include "sysdump/sysdump_archive.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "archive/archive_reader.h"
#include "support/file_text.h"
#include "support/source_folder.h"

namespace proxima::sysdump {
namespace {

const WallTime kTime = WallTime(std::chrono::seconds(1'763'525'700));  // 2025-11-19 04:15:00

std::vector<archive::ArchivedFile> files_of(SysdumpArchive archive) {
  const std::string packed = std::move(archive).finish();
  archive::ArchiveReader reader(packed, {.entries = 100, .bytes = 1U << 20U});
  std::vector<archive::ArchivedFile> files;
  for (;;) {
    auto file = reader.next([](std::string_view) { return true; });
    if (!file || !*file) return files;
    files.push_back(std::move(**file));
  }
}

TEST(SysdumpArchive, HasItsFilesAndASummaryInOneFolder) {
  SysdumpArchive archive({.version = "1.2.3",
                          .time = kTime,
                          .command = "proxima sysdump --namespace shop",
                          .ns = "shop"});
  ObjectFile nodes(allowed_kind("nodes"));
  ASSERT_TRUE(nodes.add_object(R"({"metadata":{"name":"n1"}})"));
  archive.add_objects("nodes", std::move(nodes));
  archive.add_page("proxy/metrics.txt", "proxima_x 1\n");
  archive.add_missing("pods", "list pods: \x1b[31mforbidden");
  archive.set_kubernetes("v1.36.0");
  const auto files = files_of(std::move(archive));
  ASSERT_EQ(files.size(), 3U);
  const std::string folder = "proxima-sysdump-20251119-041500/";
  EXPECT_EQ(files[0].name, folder + "cluster/nodes.json");
  EXPECT_EQ(files[1].name, folder + "proxy/metrics.txt");
  EXPECT_EQ(files[1].text, "proxima_x 1\n");
  EXPECT_EQ(files[2].name, folder + "sysdump.json");
  EXPECT_EQ(files[2].text, R"({
  "apiVersion": "cli.proxima.io/v1",
  "kind": "Sysdump",
  "version": "1.2.3",
  "time": "2025-11-19T04:15:00Z",
  "command": "proxima sysdump --namespace shop",
  "kubernetes": "v1.36.0",
  "namespace": "shop",
  "files": [
    {
      "path": "cluster/nodes.json",
      "bytes": )" + std::to_string(files[0].text.size()) +
                               R"(,
      "objects": 1
    },
    {
      "path": "proxy/metrics.txt",
      "bytes": 12
    }
  ],
  "notCollected": [
    {
      "what": "pods",
      "why": "list pods: \u001b[31mforbidden"
    }
  ]
}
)");
}

TEST(SysdumpArchive, LeavesOutWhatWouldMakeItTooLargeToBeRead) {
  SysdumpArchive archive({.time = kTime}, 100);
  const std::string page(40, ' ');
  for (const char* path : {"a.txt", "b.txt", "c.txt"}) archive.add_page(path, page);
  archive.add_page("d.txt", "short");
  ASSERT_EQ(archive.summary().not_collected.size(), 1U);
  EXPECT_EQ(archive.summary().not_collected[0].what, "c.txt");
  EXPECT_EQ(archive.summary().not_collected[0].why,
            "with its 40 bytes the archive would be too large to be read");
  EXPECT_EQ(archive.summary().files.size(), 3U);
  EXPECT_EQ(files_of(std::move(archive)).size(), 4U);
}

TEST(AllowedFields, AreThoseThatThePageLists) {
  const std::string path = test::source_folder() + "/docs/sysdump.md";
  std::string page = test::file_text(path);
  const std::string begin = "<!-- fields -->\n";
  const std::string end = "<!-- end of fields -->";
  const std::size_t from = page.find(begin);
  const std::size_t to = page.find(end);
  ASSERT_TRUE(from != std::string::npos && to != std::string::npos) << path;
  const std::size_t first = from + begin.size();
  if (std::getenv("UPDATE") != nullptr) {
    page.replace(first, to - first, allowed_fields_markdown());
    std::ofstream(path) << page;
    return;
  }
  EXPECT_EQ(page.substr(first, to - first), allowed_fields_markdown())
      << "UPDATE=1 rewrites the table";
}

}  // namespace
}  // namespace proxima::sysdump
