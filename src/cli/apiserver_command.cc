// SPDX-License-Identifier: Apache-2.0
#include "cli/apiserver_command.h"

#include <sys/stat.h>

#include <csignal>
#include <thread>

#include "apiserver/revision_log.h"
#include "apiserver/server.h"
#include "base/clock.h"

namespace proxima::cli {
namespace {

sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGTERM);
  return set;
}

// Stops the server when the process is asked to end, as long as it lives. Must be made before other
// threads, so that they do not take the signals.
class EndingSignals {
 public:
  EndingSignals() {
    const sigset_t set = ending_signals();
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
    // A client that goes away is no reason to end.
    signal(SIGPIPE, SIG_IGN);
  }
  ~EndingSignals() {
    if (!waiter_.joinable()) return;
    pthread_kill(waiter_.native_handle(), SIGINT);
    waiter_.join();
  }
  EndingSignals(const EndingSignals&) = delete;
  EndingSignals& operator=(const EndingSignals&) = delete;

  void stop_with(apiserver::Server& server) {
    waiter_ = std::thread([&server] {
      const sigset_t set = ending_signals();
      int number = 0;
      sigwait(&set, &number);
      server.stop();
    });
  }

 private:
  std::thread waiter_;
};

ExitCode serve(const ApiserverCommand& command, Console& console) {
  const SystemClock clock;
  // Whatever is made from here on, SQLite's files too, is for its owner alone.
  ::umask(S_IRWXG | S_IRWXO);
  EndingSignals signals;
  apiserver::ServerOptions options = command.options;
  options.log = [&console](std::string_view line) { console.remark(line); };
  auto server = apiserver::Server::create(std::move(options), clock);
  if (!server) {
    console.error(server.error().message);
    return ExitCode::Failed;
  }
  console.print("proxima apiserver: ready at " + (*server)->url() + ", kubeconfig " +
                (*server)->kubeconfig() + "\n");
  console.flush();
  signals.stop_with(**server);
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
