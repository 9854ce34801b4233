// SPDX-License-Identifier: Apache-2.0
// What was collected for a bug report, as the .tar.gz that plan, explain and compare read. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "archive/archive_writer.h"
#include "core/model/limits.h"
#include "sysdump/object_file.h"
#include "sysdump/summary.h"

namespace proxima::sysdump {

// Of what plan, explain and compare read, less room for the summary and for headers.
inline constexpr std::uint64_t kFilesBytesMax =
    model::limit_of(model::Bounded::ArchiveBytes).most_count() - (16U << 20U);

class SysdumpArchive {
 public:
  // `begun` says what is known before anything is collected.
  explicit SysdumpArchive(Summary begun, std::uint64_t bytes_max = kFilesBytesMax);

  // "cluster/pods.json". What would make the archive larger than it may be is not added, but noted
  // as missing.
  void add_objects(std::string_view plural, ObjectFile objects);
  // "proxy/metrics.txt". Never a name that is read as a manifest.
  void add_page(const std::string& path, std::string_view text);
  void add_missing(std::string what, std::string why);
  void set_kubernetes(std::string version) { summary_.kubernetes = std::move(version); }

  const Summary& summary() const { return summary_; }
  // The archive with its summary. Nothing is added after it.
  std::string finish() &&;

 private:
  void add(const std::string& what, CollectedFile file, std::string_view text);

  Summary summary_;
  std::string folder_;
  archive::ArchiveWriter writer_;
  std::uint64_t bytes_left_;  // for files, unpacked
};

}  // namespace proxima::sysdump
