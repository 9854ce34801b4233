// SPDX-License-Identifier: Apache-2.0
#include "cli/sysdump_command.h"

#include <filesystem>

#include "base/clock.h"
#include "cli/figures.h"
#include "cli/live_cluster.h"
#include "cli/sysdump_cluster.h"
#include "cli/sysdump_node.h"
#include "cli/sysdump_pages.h"
#include "cli/text_file.h"
#include "cli/version.h"
#include "sysdump/sysdump_archive.h"

namespace proxima::cli {
namespace {

constexpr std::string_view kStandardOutput = "-";

// Paths of this machine are nobody else's business.
std::string command_text(const SysdumpCommand& command) {
  std::string text = "proxima sysdump";
  if (!command.ns.empty()) text += " --namespace " + command.ns;
  if (!command.controller.empty()) text += " --controller " + command.controller;
  for (const std::string& node : command.nodes) text += " --node " + node;
  return text;
}

std::string output_path(const SysdumpCommand& command, WallTime now) {
  return command.output.empty() ? sysdump::sysdump_name(now) + ".tar.gz" : command.output;
}

// Before anything is read: collecting takes time.
Status check_output(const std::string& path, const Console& console) {
  if (path == kStandardOutput) {
    if (!console.out_is_terminal()) return Unit{};
    return invalid_input("an archive is not for a terminal: name a file, or pass it on");
  }
  std::error_code ignored;
  if (!std::filesystem::exists(std::filesystem::symlink_status(path, ignored))) return Unit{};
  return invalid_input(path + " is there already, and is not overwritten");
}

// An error: the cluster that was named cannot be found. One that nobody named may be missing.
Status collect_from_server(const SysdumpCommand& command, sysdump::SysdumpArchive& archive,
                           Console& console) {
  const auto connection = find_cluster_or_lab(command.kube, console);
  if (!connection) {
    if (!command.kube.kubeconfig.empty() || !command.kube.context.empty())
      return connection.error();
    console.warning("the sysdump has nothing of a cluster: " + connection.error().message);
    note_missing_cluster(connection.error().message, archive);
    return Unit{};
  }
  for (const std::string& warning : connection->warnings()) console.warning(warning);
  SystemClock clock;
  const auto api = connection->connect(
      {command.kube.qps, command.kube.burst},
      [&console](std::string_view text) { console.warning(text); }, clock);
  if (!api) return api.error();
  collect_cluster(**api, command.ns, archive, console);
  return Unit{};
}

std::string counts_text(const sysdump::Summary& summary) {
  std::size_t objects = 0;
  for (const sysdump::CollectedFile& file : summary.files) objects += file.objects;
  std::string text = counted(objects, "object") + " in " + counted(summary.files.size(), "file");
  if (summary.not_collected.empty()) return text;
  return text + "; sysdump.json in it lists " + counted(summary.not_collected.size(), "part") +
         " that could not be collected";
}

Status deliver(sysdump::SysdumpArchive archive, const std::string& path, Console& console) {
  const std::string counts = counts_text(archive.summary());
  const std::string bytes = std::move(archive).finish();
  if (path == kStandardOutput) {
    console.pass_on(bytes);
    return Unit{};
  }
  if (auto written = write_new_file(path, bytes); !written) return written;
  console.print(path + ": " + counts + "\n");
  console.remark(
      "Names, labels and addresses of the cluster are in it: look at it before you "
      "share it.");
  return Unit{};
}

Status collect_and_deliver(const SysdumpCommand& command, Console& console) {
  const WallTime now = SystemClock().wall_now();
  const std::string path = output_path(command, now);
  if (auto usable = check_output(path, console); !usable) return usable;
  sysdump::SysdumpArchive archive({.version = std::string(version()),
                                   .time = now,
                                   .command = command_text(command),
                                   .ns = command.ns});
  if (auto asked = collect_from_server(command, archive, console); !asked) return asked;
  const bool has_node_proxy = collect_pages(command, archive, console);
  collect_node(has_node_proxy, archive);
  if (archive.summary().files.empty())
    return Error{ErrorCode::NotFound, "nothing could be collected; no file was written"};
  return deliver(std::move(archive), path, console);
}

}  // namespace

ExitCode run_sysdump(const SysdumpCommand& command, Console& console) {
  const Status status = collect_and_deliver(command, console);
  return status ? ExitCode::Answered : report_failure(console, status.error());
}

}  // namespace proxima::cli
