// SPDX-License-Identifier: Apache-2.0
#include "cli/up_command.h"

#include <sys/stat.h>

#include <future>

#include "cli/ending_signals.h"
#include "cli/run_place.h"
#include "cli/text_file.h"
#include "cli/up_process.h"
#include "cli/up_shape.h"
#include "kube/run_program.h"
#include "lab/user_namespace.h"
#include "net/descriptor_limit.h"

namespace proxima::cli {
namespace {

// Whether somebody asked for the end; several may.
class UpEnding {
 public:
  void ask() {
    if (!asked_.exchange(true)) promise_.set_value();
  }
  bool asked() const { return asked_; }
  void wait(std::optional<std::chrono::nanoseconds> longest) {
    if (longest)
      static_cast<void>(future_.wait_for(*longest));
    else
      future_.wait();
  }

 private:
  std::atomic<bool> asked_ = false;
  std::promise<void> promise_;
  std::future<void> future_ = promise_.get_future();
};

Result<agents::Scenario> scenario_of(const UpCommand& command) {
  agents::Scenario scenario;
  if (command.scenario.empty()) {
    scenario.cluster = example_shape(command);
  } else {
    PROXIMA_TRY(const std::string text, read_text_file(command.scenario), "--scenario");
    PROXIMA_TRY(scenario, agents::parse_scenario(text), command.scenario);
  }
  scenario.cluster = with_rate(std::move(scenario.cluster), command);
  return scenario;
}

// Before the process has a second thread: entering a user namespace is refused later.
LabKind choose_kind(const UpCommand& command, Console& console) {
  if (command.simulator) return LabKind::Simulated;
  const lab::LabRights rights = lab::take_lab_rights();
  if (rights.rights != lab::Rights::None) return LabKind::Namespaces;
  console.warning(rights.why_not);
  console.remark(
      "Going on as a simulator: the API, the controller and the page run, and traffic is predicted "
      "instead of measured.");
  return LabKind::Simulated;
}

// The page, in whatever the user's desktop opens pages with.
void open_page(const std::string& url, Console& console) {
  kube::Program program;
  program.command = "xdg-open";
  program.arguments = {url};
  for (const char* name : {"PATH", "HOME", "DISPLAY", "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR",
                           "DBUS_SESSION_BUS_ADDRESS", "XAUTHORITY", "BROWSER"})
    if (auto value = process_environment()(name)) program.environment.emplace(name, *value);
  program.timeout = std::chrono::seconds(10);
  const auto done = kube::run_program(program, net::Cancellation());
  if (!done || done->exit_code != 0)
    console.warning("no browser could be opened (xdg-open): open the page by hand");
}

}  // namespace

ExitCode run_up(const UpCommand& command, Console& console) {
  ::umask(S_IRWXG | S_IRWXO);  // keys, tokens and the database are for their owner alone
  UpEnding ending;
  (void)net::raise_descriptor_limit();
  EndingSignals signals;
  auto scenario = scenario_of(command);
  if (!scenario) return report_failure(console, scenario.error());
  auto place = RunPlace::take(state_folder(process_environment()), command.data_directory);
  if (!place) return report_failure(console, place.error());
  const LabKind kind = choose_kind(command, console);
  signals.stop_with([&ending] { ending.ask(); });
  console.remark("Starting…");
  UpProcess process({command, *place, std::move(*scenario), kind},
                    [&console](const std::string& line) { console.remark(line); });
  const Status started = process.start([&ending] { return ending.asked(); });
  if (!started) return report_failure(console, started.error());
  if (!ending.asked()) {
    const UpSummary summary = process.summary();
    console.announce("\n" + render_summary(summary));
    if (command.open) open_page(summary.page, console);
    ending.wait(command.for_time);
  }
  console.remark("Stopping…");
  return ExitCode::Answered;
}

}  // namespace proxima::cli
