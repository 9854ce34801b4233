// SPDX-License-Identifier: Apache-2.0
#include "sysdump/sysdump_archive.h"

#include "base/check.h"

namespace proxima::sysdump {

SysdumpArchive::SysdumpArchive(Summary begun, std::uint64_t bytes_max)
    : summary_(std::move(begun)),
      folder_(sysdump_name(summary_.time) + "/"),
      writer_(summary_.time),
      bytes_left_(bytes_max) {}

void SysdumpArchive::add(const std::string& what, CollectedFile file, std::string_view text) {
  if (text.size() > bytes_left_)
    return add_missing(what, "with its " + std::to_string(text.size()) +
                                 " bytes the archive would be too large to be read");
  bytes_left_ -= text.size();
  writer_.add(folder_ + file.path, text);
  file.bytes = text.size();
  summary_.files.push_back(std::move(file));
}

void SysdumpArchive::add_objects(std::string_view plural, ObjectFile objects) {
  const std::string what(plural);
  CollectedFile file{.path = "cluster/" + what + ".json", .objects = objects.objects()};
  add(what, std::move(file), std::move(objects).finish());
}

void SysdumpArchive::add_page(const std::string& path, std::string_view text) {
  PROXIMA_CHECK(path.ends_with(".txt"));
  add(path, {.path = path}, text);
}

void SysdumpArchive::add_missing(std::string what, std::string why) {
  summary_.not_collected.push_back({std::move(what), std::move(why)});
}

std::string SysdumpArchive::finish() && {
  writer_.add(folder_ + "sysdump.json", render_summary(summary_));
  return std::move(writer_).finish();
}

}  // namespace proxima::sysdump
