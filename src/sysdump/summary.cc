// SPDX-License-Identifier: Apache-2.0
#include "sysdump/summary.h"

#include <algorithm>

#include "report/document.h"
#include "wire/sysdump_kind.h"

namespace proxima::sysdump {

std::string render_summary(const Summary& summary) {
  report::DocumentWriter writer(report::DocumentFormat::Json);
  writer.begin_object();
  writer.field("apiVersion", wire::kSysdumpApiVersion);
  writer.field("kind", wire::kSysdumpKind);
  writer.field("version", summary.version);
  writer.field("time", time_text(summary.time));
  writer.field("command", summary.command);
  if (!summary.kubernetes.empty()) writer.field("kubernetes", summary.kubernetes);
  if (!summary.ns.empty()) writer.field("namespace", summary.ns);
  writer.key("files");
  writer.begin_array();
  for (const CollectedFile& file : summary.files) {
    writer.begin_object();
    writer.field("path", file.path);
    writer.field("bytes", file.bytes);
    if (file.objects > 0) writer.field("objects", file.objects);
    writer.end_object();
  }
  writer.end_array();
  writer.key(wire::kNotCollected);
  writer.begin_array();
  for (const NotCollected& missing : summary.not_collected) {
    writer.begin_object();
    writer.field("what", missing.what);
    writer.field("why", missing.why);
    writer.end_object();
  }
  writer.end_array();
  writer.end_object();
  return std::move(writer).finish();
}

std::string sysdump_name(WallTime time) {
  std::string digits = time_text(time);  // 2026-11-19T04:15:00Z
  std::erase_if(digits, [](char c) { return c == '-' || c == ':' || c == 'Z'; });
  std::ranges::replace(digits, 'T', '-');
  return "proxima-sysdump-" + digits;
}

}  // namespace proxima::sysdump
