// SPDX-License-Identifier: Apache-2.0
#include "cli/controller_command.h"

#include <future>

#include "cli/controller_process.h"
#include "cli/ending_signals.h"
#include "net/descriptor_limit.h"

namespace proxima::cli {

ExitCode run_controller(const ControllerCommand& command, Console& console) {
  (void)net::raise_descriptor_limit();
  EndingSignals signals;
  std::promise<void> end;
  ControllerProcess process(command, telemetry::write_to_stderr);
  const Status prepared = process.prepare();
  if (!prepared) {
    console.error(prepared.error().message);
    return ExitCode::Failed;
  }
  if (!process.status_url().empty())
    console.announce("proxima controller: status at " + process.status_url() + "\n");
  if (!process.page_text().empty()) console.announce(process.page_text() + "\n");
  signals.stop_with([&end] { end.set_value(); });
  process.start();
  end.get_future().wait();
  process.stop();
  return ExitCode::Answered;
}

}  // namespace proxima::cli
