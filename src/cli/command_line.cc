// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <memory>
#include <span>

#include "cli/apiserver_flags.h"
#include "cli/check_flags.h"
#include "cli/command_texts.h"
#include "cli/compare_flags.h"
#include "cli/controller_flags.h"
#include "cli/explain_flags.h"
#include "cli/generate_flags.h"
#include "cli/lab_flags.h"
#include "cli/migrate_flags.h"
#include "cli/near_match.h"
#include "cli/plan_flags.h"
#include "cli/proxy_flags.h"
#include "cli/reference_flags.h"
#include "cli/sysdump_flags.h"
#include "cli/up_flags.h"
#include "cli/version.h"

namespace proxima::cli {
namespace {

// One command: its flags, bound to the options they fill. Every command is parsed on its own, so a
// service that is called like a command is no surprise.
struct Definition {
  explicit Definition(std::string_view name)
      : app(std::make_unique<CLI::App>("", std::string(name))) {
    app->set_help_flag();  // help is rendered from the specification instead
    app->allow_extras();   // unknown flags are reported here, with what was meant
  }
  std::unique_ptr<CLI::App> app;
  std::function<Command()> take;             // after parsing
  std::function<std::string()> contradicts;  // after parsing: what flags say against each other
};

// The library says what is no value of a switch, which it tells by a target of its own.
void add_switch(CLI::App& app, const FlagRow& row) {
  const auto target = std::make_shared<bool>();
  const auto check = [set = row.set, target](const std::string& text) {
    bool on = false;
    if (CLI::detail::lexical_cast(text, on)) static_cast<void>(set(on ? "true" : "false"));
    return std::string();
  };
  app.add_flag(row.names, *target, row.description)->check(check)->group(row.group);
}

// An option that only gathers texts: its check has set them already.
CLI::Option* add_texts(CLI::App& app, const FlagRow& row) {
  if (row.repeat == Repeat::Never)
    return app.add_option_function<std::string>(
        row.names, [](const std::string&) {}, row.description);
  CLI::Option* option = app.add_option_function<std::vector<std::string>>(
      row.names, [](const std::vector<std::string>&) {}, row.description);
  if (row.repeat == Repeat::InOneText) option->delimiter(',');
  // A flag takes one text; what follows is an argument.
  if (row.names.starts_with("-")) option->allow_extra_args(false);
  return option;
}

void add_row(CLI::App& app, const FlagRow& row) {
  if (row.value.empty()) return add_switch(app, row);
  const auto check = [set = row.set](const std::string& text) {
    const Status status = set(text);
    return status ? std::string() : status.error().message;
  };
  CLI::Option* option = add_texts(app, row);
  option->check(check)->type_name(row.value)->group(row.group)->required(row.required);
  for (const std::string& other : row.excludes) option->excludes(app.get_option(other));
}

// The command lives as long as the parser that fills it.
template <class T, FlagRows (*Flags)(T&), std::string (*Contradiction)(const T&) = nullptr>
Definition define(std::string_view name) {
  Definition definition(name);
  auto command = std::make_shared<T>();
  for (const FlagRow& row : Flags(*command)) add_row(*definition.app, row);
  definition.take = [command] { return Command(*command); };
  definition.contradicts = [command]() -> std::string {
    if constexpr (Contradiction != nullptr) return Contradiction(*command);
    return {};
  };
  return definition;
}

// In the order of the help. Made one by one: a parser costs a millisecond, and one is enough.
struct NamedDefinition {
  std::string_view name;
  Definition (*define)(std::string_view name);

  Definition make() const { return define(name); }
};
constexpr NamedDefinition kDefinitions[] = {
    {"up", define<UpCommand, up_flags, contradiction>},
    {"lab", define<LabCommand, lab_flags, contradiction>},
    {"plan", define<PlanCommand, plan_flags, contradiction>},
    {"explain", define<ExplainCommand, explain_flags, contradiction>},
    {"compare", define<CompareCommand, compare_flags, contradiction>},
    {"migrate", define<MigrateCommand, migrate_flags, contradiction>},
    {"check", define<CheckCommand, check_flags, contradiction>},
    {"generate", define<GenerateCommand, generate_flags>},
    {"reasons", define<ReasonsCommand, reasons_flags>},
    {"limits", define<LimitsCommand, limits_flags>},
    {"apiserver", define<ApiserverCommand, apiserver_flags, contradiction>},
    {"controller", define<ControllerCommand, controller_flags, contradiction>},
    {"proxy", define<ProxyCommand, proxy_flags>},
    {"sysdump", define<SysdumpCommand, sysdump_flags>},
    {"completion", define<CompletionCommand, completion_flags>},
    {"man", define<ManCommand, man_flags>},
    {"version", define<VersionCommand, version_flags>},
    {"help", define<HelpCommand, help_flags>},
};

OptionSpec describe(const CLI::Option& option) {
  OptionSpec spec;
  for (const auto& name : option.get_snames()) spec.names.push_back("-" + name);
  for (const auto& name : option.get_lnames()) spec.names.push_back("--" + name);
  spec.description = option.get_description();
  if (option.get_expected_max() > 0) set_value(spec, option.get_type_name());
  spec.group = option.get_group();
  spec.required = option.get_required();
  spec.repeatable = option.get_expected_max() > 1 || option.get_delimiter() != '\0';
  return spec;
}

CommandSpec describe(const CLI::App& app) {
  const CommandText& text = text_of_command(app.get_name());
  CommandSpec spec{
      std::string(text.name), std::string(text.summary), std::string(text.description), {}, {}, {}};
  for (const ExampleText& example : text.examples)
    spec.examples.push_back({std::string(example.purpose), std::string(example.command)});
  for (const CLI::Option* option : app.get_options())
    (option->get_positional() ? spec.arguments : spec.options).push_back(describe(*option));
  spec.options.push_back({{"-h", "--help"}, "", "Show this help", "Output", false, false, {}});
  return spec;
}

Error usage_error(std::string message, const std::string& command) {
  const std::string more = command.empty() ? "proxima --help" : "proxima " + command + " --help";
  return {ErrorCode::InvalidInput, std::move(message) + "\nSee '" + more + "'."};
}

Error unknown_flag(const CLI::App& app, const std::string& flag) {
  std::vector<std::string> names;
  for (const OptionSpec& option : describe(app).options)
    names.insert(names.end(), option.names.begin(), option.names.end());
  const std::string name = flag.substr(0, flag.find('='));
  return usage_error("unknown flag: " + name + did_you_mean(near_matches(name, names)),
                     app.get_name());
}

// What allow_extras let through.
std::optional<Error> refuse_extras(const CLI::App& app) {
  std::vector<std::string> extras = app.remaining();
  std::erase(extras, "--");  // the library counts the mark itself among them
  if (extras.empty()) return std::nullopt;
  const auto flag = std::find_if(extras.begin(), extras.end(),
                                 [](const std::string& text) { return text.starts_with("-"); });
  if (flag != extras.end()) return unknown_flag(app, *flag);
  return usage_error("unexpected argument: " + extras.front(), app.get_name());
}

Result<Command> parse_with(const Definition& definition, std::vector<std::string> arguments) {
  CLI::App& app = *definition.app;
  std::reverse(arguments.begin(), arguments.end());  // the library takes them from the back
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::RequiredError&) {
    if (auto extras = refuse_extras(app)) return std::move(*extras);
    for (const CLI::Option* option : app.get_options()) {
      if (!option->get_required() || option->count() > 0) continue;
      const OptionSpec spec = describe(*option);
      return usage_error(option_heading(spec) + " is required: " + spec.description,
                         app.get_name());
    }
    return usage_error("something required is missing", app.get_name());
  } catch (const CLI::ParseError& error) {
    // The library puts a flag's name before what is wrong; an argument has none.
    const std::string_view message = error.what();
    const bool nameless = message.starts_with(": ");
    return usage_error(std::string(message.substr(nameless ? 2 : 0)), app.get_name());
  }
  if (auto extras = refuse_extras(app)) return std::move(*extras);
  const std::string problem = definition.contradicts();
  if (!problem.empty()) return usage_error(problem, app.get_name());
  return definition.take();
}

// kubectl takes "-o=json" as it takes "-o json".
std::vector<std::string> without_short_equals(std::span<const std::string> arguments) {
  std::vector<std::string> out;
  for (const std::string& text : arguments) {
    const bool short_equals = text.size() > 3 && text[0] == '-' && text[1] != '-' && text[2] == '=';
    if (!short_equals) {
      out.push_back(text);
      continue;
    }
    out.push_back(text.substr(0, 2));
    out.push_back(text.substr(3));
  }
  return out;
}

bool asks_for_help(std::span<const std::string> arguments) {
  for (const std::string& text : arguments) {
    if (text == "--") return false;
    if (text == "-h" || text == "--help") return true;
  }
  return false;
}

}  // namespace

ProgramSpec describe_program() {
  ProgramSpec program{"proxima",
                      std::string(program_summary()),
                      std::string(program_description()),
                      std::string(version()),
                      {}};
  for (const NamedDefinition& definition : kDefinitions)
    program.commands.push_back(describe(*definition.make().app));
  return program;
}

Result<Command> parse_command_line(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return Command(HelpCommand{});
  const std::string& name = arguments.front();
  if (name == "-h" || name == "--help") return Command(HelpCommand{});
  if (name == "--version") return Command(VersionCommand{});
  if (name.starts_with("-")) return usage_error("a command comes before flags: " + name, "");
  std::vector<std::string> names;
  for (const NamedDefinition& definition : kDefinitions) {
    names.emplace_back(definition.name);
    if (definition.name != name) continue;
    const auto rest = std::span(arguments).subspan(1);
    if (asks_for_help(rest)) return Command(HelpCommand{name});
    return parse_with(definition.make(), without_short_equals(rest));
  }
  return usage_error("unknown command: " + name + did_you_mean(near_matches(name, names)), "");
}

}  // namespace proxima::cli
