// SPDX-License-Identifier: Apache-2.0
#include "cli/lab_command.h"

#include "cli/lab_client.h"
#include "cli/lab_request.h"
#include "cli/lab_status.h"
#include "cli/run_place.h"

namespace proxima::cli {
namespace {

Status show(const LabCommand& command, const std::string& state, Console& console) {
  if (command.json) {
    console.print(state + "\n");
    return Unit{};
  }
  const Terminal terminal = console.out_terminal(ColorMode::Auto);
  auto tables = lab_tables(state, {.width = terminal.width, .coloring = terminal.coloring});
  if (!tables) return std::move(tables).error();
  console.print(*tables);
  return Unit{};
}

Status act(const LabCommand& command, const LabClient& client, const std::string& state,
           Console& console) {
  auto names = lab_names(state);
  if (!names) return std::move(names).error();
  auto request = parse_lab_request(command);
  if (request) request = with_known_names(std::move(*request), *names);
  if (!request) return std::move(request).error();
  Status done = client.post(render_call(*request, *names));
  if (done) console.print(done_text(*request) + "\n");
  return done;
}

Status run(const LabCommand& command, Console& console) {
  auto found = find_run(state_folder(process_environment()), command.data_directory);
  if (!found) return std::move(found).error();
  auto client = LabClient::create(*found);
  if (!client) return std::move(client).error();
  auto state = client->state();
  if (!state) return std::move(state).error();
  if (command.action == LabAction::Status) return show(command, *state, console);
  return act(command, *client, *state, console);
}

}  // namespace

ExitCode run_lab(const LabCommand& command, Console& console) {
  const Status done = run(command, console);
  if (done) return ExitCode::Answered;
  console.error(done.error().message);
  return ExitCode::Failed;
}

}  // namespace proxima::cli
