// SPDX-License-Identifier: Apache-2.0
#include "cli/apiserver_command.h"

#include <sys/stat.h>

#include "apiserver/revision_log.h"
#include "apiserver/server.h"
#include "base/clock.h"
#include "cli/ending_signals.h"
#include "net/descriptor_limit.h"

namespace proxima::cli {
namespace {

ExitCode serve(const ApiserverCommand& command, Console& console) {
  const SystemClock clock;
  // Whatever is made from here on, SQLite's files too, is for its owner alone.
  ::umask(S_IRWXG | S_IRWXO);
  (void)net::raise_descriptor_limit();
  EndingSignals signals;
  apiserver::ServerOptions options = command.options;
  options.log = [&console](std::string_view line) { console.remark(line); };
  auto server = apiserver::Server::create(std::move(options), clock);
  if (!server) {
    console.error(server.error().message);
    return ExitCode::Failed;
  }
  console.announce("proxima apiserver: ready at " + (*server)->url() + ", kubeconfig " +
                   (*server)->kubeconfig() + "\n");
  signals.stop_with([&server] { (*server)->stop(); });
  (*server)->run();
  console.remark("proxima apiserver: stopped");
  return ExitCode::Answered;
}

ExitCode back_up(const ApiserverCommand& command, Console& console) {
  const auto done = apiserver::backup_file(apiserver::database_path(command.options.data_directory),
                                           command.file);
  if (done) return ExitCode::Answered;
  console.error("backup: " + done.error().message);
  return ExitCode::Failed;
}

}  // namespace

ExitCode run_apiserver(const ApiserverCommand& command, Console& console) {
  return command.task == ApiserverTask::Backup ? back_up(command, console)
                                               : serve(command, console);
}

}  // namespace proxima::cli
