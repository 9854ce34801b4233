// SPDX-License-Identifier: Apache-2.0
#include "cli/run.h"

#include "cli/apiserver_command.h"
#include "cli/check_command.h"
#include "cli/command_line.h"
#include "cli/compare_command.h"
#include "cli/completion.h"
#include "cli/controller_command.h"
#include "cli/explain_command.h"
#include "cli/generate_command.h"
#include "cli/help_text.h"
#include "cli/lab_command.h"
#include "cli/limits_command.h"
#include "cli/man_page.h"
#include "cli/markdown_reference.h"
#include "cli/migrate_command.h"
#include "cli/near_match.h"
#include "cli/plan_command.h"
#include "cli/proxy_command.h"
#include "cli/reasons_command.h"
#include "cli/sysdump_command.h"
#include "cli/up_command.h"
#include "cli/version.h"
#include "cli/word_completion.h"
#include "report/document.h"

namespace proxima::cli {
namespace {

ExitCode run_completion(const CompletionCommand& command, Console& console) {
  const ProgramSpec program = describe_program();
  switch (command.shell) {
    case Shell::Bash:
      console.print(render_bash_completion(program));
      break;
    case Shell::Zsh:
      console.print(render_zsh_completion(program));
      break;
    case Shell::Fish:
      console.print(render_fish_completion(program));
      break;
  }
  return ExitCode::Answered;
}

ExitCode run_version(const VersionCommand& command, Console& console) {
  if (command.format == OutputFormat::Table) {
    console.print("proxima " + std::string(version()) + "\n");
    return ExitCode::Answered;
  }
  report::DocumentWriter writer(command.format == OutputFormat::Json
                                    ? report::DocumentFormat::Json
                                    : report::DocumentFormat::Yaml);
  writer.begin_object();
  writer.field("version", version());
  writer.end_object();
  console.print(std::move(writer).finish());
  return ExitCode::Answered;
}

ExitCode run_man(const ManCommand& command, Console& console) {
  const ProgramSpec program = describe_program();
  console.print(command.format == ManFormat::Markdown ? render_markdown_reference(program)
                                                      : render_man_page(program));
  return ExitCode::Answered;
}

ExitCode run_help(const HelpCommand& command, Invocation invocation, Console& console) {
  const ProgramSpec program = in_words_of(invocation, describe_program());
  const Terminal terminal = console.out_terminal(ColorMode::Auto);
  const HelpLayout layout{.width = terminal.width.value_or(80), .coloring = terminal.coloring};
  if (command.topic.empty()) {
    console.print(render_help(program, layout));
    return ExitCode::Answered;
  }
  if (const CommandSpec* spec = program.find(command.topic)) {
    console.print(render_help(program, *spec, layout));
    return ExitCode::Answered;
  }
  std::vector<std::string> names;
  for (const CommandSpec& spec : program.commands) names.push_back(spec.name);
  console.error("unknown command: " + command.topic +
                did_you_mean(near_matches(command.topic, names)));
  return ExitCode::Usage;
}

// One overload a command.
struct Runner {
  Invocation invocation;
  Console& console;
  ExitCode operator()(const PlanCommand& command) const { return run_plan(command, console); }
  ExitCode operator()(const ExplainCommand& command) const { return run_explain(command, console); }
  ExitCode operator()(const CompareCommand& command) const { return run_compare(command, console); }
  ExitCode operator()(const MigrateCommand& command) const { return run_migrate(command, console); }
  ExitCode operator()(const CheckCommand& command) const { return run_check(command, console); }
  ExitCode operator()(const GenerateCommand& command) const {
    return run_generate(command, console);
  }
  ExitCode operator()(const ReasonsCommand& command) const { return run_reasons(command, console); }
  ExitCode operator()(const LimitsCommand& command) const { return run_limits(command, console); }
  ExitCode operator()(const ApiserverCommand& command) const {
    return run_apiserver(command, console);
  }
  ExitCode operator()(const ControllerCommand& command) const {
    return run_controller(command, console);
  }
  ExitCode operator()(const ProxyCommand& command) const { return run_proxy(command, console); }
  ExitCode operator()(const UpCommand& command) const { return run_up(command, console); }
  ExitCode operator()(const LabCommand& command) const { return run_lab(command, console); }
  ExitCode operator()(const SysdumpCommand& command) const { return run_sysdump(command, console); }
  ExitCode operator()(const CompletionCommand& command) const {
    return run_completion(command, console);
  }
  ExitCode operator()(const ManCommand& command) const { return run_man(command, console); }
  ExitCode operator()(const VersionCommand& command) const { return run_version(command, console); }
  ExitCode operator()(const HelpCommand& command) const {
    return run_help(command, invocation, console);
  }
};

}  // namespace

ExitCode run(Invocation invocation, const std::vector<std::string>& arguments, Console& console) {
  if (invocation == Invocation::KubectlCompletion) {
    console.print(render_for_kubectl(complete_words(describe_program(), arguments)));
    return console.finish(ExitCode::Answered);
  }
  const Result<Command> command = parse_command_line(arguments);
  if (!command) {
    console.error(in_words_of(invocation, command.error().message));
    return console.finish(ExitCode::Usage);
  }
  return console.finish(std::visit(Runner{invocation, console}, *command));
}

}  // namespace proxima::cli
