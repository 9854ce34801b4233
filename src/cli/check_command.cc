// SPDX-License-Identifier: Apache-2.0
#include "cli/check_command.h"

#include "base/clock.h"
#include "checks/ask_cluster.h"
#include "checks/judge.h"
#include "checks/look_at_node.h"
#include "cli/check_text.h"
#include "cli/live_cluster.h"
#include "cli/version.h"
#include "kube/cancellable_wait.h"

namespace proxima::cli {
namespace {

constexpr std::chrono::seconds kCheckPause{2};

checks::Scope scope_of(const CheckCommand& command) {
  return {.stage = command.before ? checks::Stage::Before : checks::Stage::After,
          .component = command.component,
          .node = !command.api_only,
          .api = !command.node_only};
}

std::string rendered_list(const CheckCommand& command, const Terminal& terminal) {
  const checks::Scope scope = scope_of(command);
  switch (command.output.format) {
    case OutputFormat::Json:
      return check_list_document(scope, report::DocumentFormat::Json);
    case OutputFormat::Yaml:
      return check_list_document(scope, report::DocumentFormat::Yaml);
    case OutputFormat::Markdown:
      return check_list_markdown(scope);
    default:
      return check_list_table(scope).render({.width = terminal.width,
                                             .coloring = terminal.coloring,
                                             .headers = !command.output.no_headers});
  }
}

std::string rendered_results(const std::vector<checks::CheckResult>& results,
                             const CheckCommand& command, const Terminal& terminal) {
  if (command.output.format == OutputFormat::Json)
    return check_document(results, report::DocumentFormat::Json);
  if (command.output.format == OutputFormat::Yaml)
    return check_document(results, report::DocumentFormat::Yaml);
  return check_text(results, ProseLayout(terminal.width, terminal.coloring));
}

Result<checks::NodeFacts> node_facts(const CheckCommand& command) {
  if (command.api_only) return Error{ErrorCode::Unsupported, "left out by --api-only"};
  // Off a node, or as a user without rights, the answers would be about the wrong machine.
  if (!command.node_only && !checks::has_net_admin({}))
    return Error{ErrorCode::Denied,
                 "this process lacks CAP_NET_ADMIN; run it as root on a node, or with --node-only"};
  return checks::look_at_node({});
}

// The connection stays for as long as it is checked again.
class ClusterAsker {
 public:
  ClusterAsker(const CheckCommand& command, Console& console)
      : command_(command), console_(console) {}

  // An error: which cluster is meant cannot be told. That there is none at all is no error yet.
  Status connect() {
    if (command_.node_only) return Unit{};
    auto connection = find_cluster_or_lab(command_.kube, console_);
    if (!connection) {
      const bool is_chosen = !command_.kube.kubeconfig.empty() || !command_.kube.context.empty();
      if (is_chosen || connection.error().code != ErrorCode::NotFound)
        return std::move(connection).error();
      missing_ = std::move(connection).error().message;
      return Unit{};
    }
    for (const std::string& warning : connection->warnings()) console_.warning(warning);
    url_ = connection->server();
    auto api = connection->connect(
        {command_.kube.qps, command_.kube.burst},
        [this](std::string_view text) { console_.warning(text); }, clock_);
    if (!api) return std::move(api).error();
    api_ = std::move(*api);
    return Unit{};
  }

  Result<checks::ClusterFacts> ask() {
    if (command_.node_only) return Error{ErrorCode::Unsupported, "left out by --node-only"};
    if (api_ == nullptr) return Error{ErrorCode::NotFound, missing_};
    return checks::ask_cluster(*api_, {.url = url_, .ns = command_.ns, .scope = scope_of(command_)},
                               clock_);
  }

  Clock& clock() { return clock_; }

 private:
  const CheckCommand& command_;
  Console& console_;
  SystemClock clock_;
  std::string url_;
  std::string missing_;
  std::unique_ptr<kube::KubeApi> api_;
};

std::vector<checks::CheckResult> check_once(const CheckCommand& command, ClusterAsker& asker) {
  const checks::Facts facts{
      .node = node_facts(command), .cluster = asker.ask(), .version = std::string(version())};
  return checks::judge(facts, scope_of(command));
}

bool has_failed(const std::vector<checks::CheckResult>& results) {
  return checks::tally(results).failed > 0;
}

std::vector<checks::CheckResult> check_until_good(const CheckCommand& command,
                                                  ClusterAsker& asker) {
  const auto deadline = asker.clock().steady_now() + command.wait;
  auto results = check_once(command, asker);
  while (has_failed(results) && asker.clock().steady_now() + kCheckPause < deadline) {
    kube::wait_for(asker.clock(), kCheckPause, {});
    results = check_once(command, asker);
  }
  return results;
}

}  // namespace

ExitCode run_check(const CheckCommand& command, Console& console) {
  const Terminal terminal = console.out_terminal(command.output.color);
  if (command.list) {
    console.print(rendered_list(command, terminal));
    return ExitCode::Answered;
  }
  ClusterAsker asker(command, console);
  const Status connected = asker.connect();
  if (!connected) return report_failure(console, connected.error());
  const auto results = check_until_good(command, asker);
  console.print(rendered_results(results, command, terminal));
  return has_failed(results) ? ExitCode::Failed : ExitCode::Answered;
}

}  // namespace proxima::cli
