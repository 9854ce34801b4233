// SPDX-License-Identifier: Apache-2.0
#include "cli/cluster_input.h"

#include <algorithm>

#include "base/clock.h"
#include "cli/figures.h"
#include "cli/live_cluster.h"
#include "cli/progress.h"
#include "manifest/read_manifests.h"

namespace proxima::cli {
namespace {

// More of them teach nothing, and push the answer off the screen.
constexpr std::size_t kWarningsShown = 10;

std::string what_is_read(const std::vector<std::string>& files) {
  if (files.empty()) return "Reading the cluster";
  if (files.size() > 1) return "Reading " + counted(files.size(), "input");
  return files.front() == "-" ? "Reading standard input" : "Reading " + files.front();
}

void warn(const manifest::Loaded& loaded, Console& console) {
  const std::size_t shown = std::min(loaded.problems.size(), kWarningsShown);
  for (std::size_t i = 0; i < shown; ++i) console.warning(to_text(loaded.problems[i]));
  const std::size_t hidden = loaded.problems.size() - shown + loaded.problems_not_kept;
  if (hidden > 0) {
    console.warning("and " + counted(hidden, "more problem") +
                    " like these (--strict stops at the first)");
  }
}

// A dump of something else reads well and shows nothing; say what was in it.
void remark_on_emptiness(const manifest::Loaded& loaded, Console& console) {
  if (!loaded.snapshot->services.empty() || loaded.skipped_kinds.empty()) return;
  std::string kinds;
  for (const auto& [kind, count] : loaded.skipped_kinds)
    kinds += (kinds.empty() ? "" : ", ") + std::to_string(count) + " " + kind;
  console.warning("no Service among " + counted(loaded.objects, "object") + "; skipped: " + kinds);
}

}  // namespace

Result<model::SnapshotPtr> read_cluster(const InputOptions& options, Console& console) {
  ProgressLine progress(console, what_is_read(options.files));
  manifest::ReadOptions reading;
  reading.strict = options.strict;
  reading.progress = [&](std::uint64_t done, std::uint64_t total) { progress.update(done, total); };
  auto loaded = options.files.empty() ? read_live_cluster(options.kube, reading, console)
                                      : manifest::read_manifests(options.files, reading);
  progress.clear();
  if (!loaded) return std::move(loaded).error();
  warn(*loaded, console);
  remark_on_emptiness(*loaded, console);
  return loaded->snapshot;
}

std::optional<WallTime> planning_time(const InputOptions& options) {
  if (!options.files.empty()) return std::nullopt;
  return SystemClock().wall_now();
}

}  // namespace proxima::cli
