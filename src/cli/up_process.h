// SPDX-License-Identifier: Apache-2.0
// Everything that runs in `proxima up`, put together.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "agents/scenario.h"
#include "base/clock.h"
#include "cli/api_thread.h"
#include "cli/cluster_actions.h"
#include "cli/controller_process.h"
#include "cli/log_file.h"
#include "cli/run_place.h"
#include "cli/running_lab.h"
#include "cli/scenario_thread.h"
#include "cli/up_options.h"
#include "cli/up_summary.h"
#include "web/web_server.h"

namespace proxima::cli {

enum class LabKind { Namespaces, Simulated };

class UpProcess {
 public:
  using Say = std::function<void(const std::string& line)>;
  struct Settings {
    const UpCommand& command;
    const RunPlace& place;
    agents::Scenario scenario;
    LabKind kind = LabKind::Namespaces;
  };

  // What the settings borrow must outlive it. `say` gets a line for every part that is ready.
  UpProcess(Settings settings, Say say);
  // Ends what runs, last started first.
  ~UpProcess();
  UpProcess(const UpProcess&) = delete;
  UpProcess& operator=(const UpProcess&) = delete;

  // Part by part, until `ended` says that nobody wants it any more. An error names the part.
  Status start(const std::function<bool()>& ended);
  // Of one that was started to the end.
  UpSummary summary() const;

 private:
  // How long the first traffic of a lab is waited for.
  static constexpr std::chrono::seconds kPatience{60};

  Status open_log();
  Status start_api();
  Status start_controller();
  Status connect();
  Status start_lab();
  Status start_web();
  Status wait_for_lab(const std::function<bool()>& ended);
  Status wait_for_page(const std::function<bool()>& ended);
  Status play_scenario();
  std::vector<std::string> service_names() const;
  void write_log(std::string_view line) const { log_file_->write(line); }

  Settings settings_;
  Say say_;
  SystemClock clock_;
  std::optional<LogFile> log_file_;
  std::optional<telemetry::Log> log_;
  std::unique_ptr<ApiThread> api_;
  ControllerCommand controller_command_;
  std::unique_ptr<ControllerProcess> controller_;
  std::unique_ptr<kube::KubeApi> lab_api_;
  std::unique_ptr<kube::KubeApi> web_api_;
  std::unique_ptr<RunningLab> lab_;
  std::optional<ClusterActions> actions_;
  std::unique_ptr<web::WebServer> web_;
  std::optional<ScenarioThread> scenario_;
};

}  // namespace proxima::cli
