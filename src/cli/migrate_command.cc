// SPDX-License-Identifier: Apache-2.0
#include "cli/migrate_command.h"

#include "cli/failed_services.h"
#include "cli/migrate_patches.h"
#include "cli/migrate_text.h"
#include "cli/planning_setting.h"
#include "cli/progress.h"

namespace proxima::cli {
namespace {

plan::Migrations migrations_of(const PlanningSetting& setting, Console& console) {
  ProgressLine progress(console, "Planning");
  const plan::ClusterPlan plan = plan::plan_cluster(setting.snapshot, setting.options);
  return plan::plan_migrations(
      plan, setting.traffic.volume, setting.wanted(),
      [&](std::size_t done, std::size_t total) { progress.update(done, total); });
}

void print_migrations(const plan::Migrations& migrations, const report::MigrationFacts& facts,
                      const MigrateCommand& command, Console& console) {
  const OutputOptions& options = command.output;
  switch (options.format) {
    case OutputFormat::Json:
      return console.print(migration_document(migrations, facts, report::DocumentFormat::Json));
    case OutputFormat::Yaml:
      return console.print(migration_document(migrations, facts, report::DocumentFormat::Yaml));
    default:
      break;
  }
  if (migrations.services.empty()) return console.remark("No services found.");
  if (options.format == OutputFormat::Patch) {
    const std::string patches = migrate_patches(migrations, command.to);
    if (patches.empty()) return console.remark("No service has to be patched.");
    return console.print(patches);
  }
  const Terminal terminal = console.out_terminal(options.color);
  console.print(migrate_text(
      migrations, facts,
      {.width = terminal.width, .coloring = terminal.coloring, .headers = !options.no_headers}));
}

Status migrate_and_print(const MigrateCommand& command, Console& console) {
  auto setting = read_setting({.input = command.input,
                               .scope = command.scope,
                               .services = command.services,
                               .policy = command.policy,
                               .prices = command.prices,
                               .traffic_file = command.traffic_file},
                              console);
  if (!setting) return std::move(setting).error();
  plan::Migrations migrations = migrations_of(*setting, console);
  if (command.to) keep_target(migrations, *command.to);
  const report::MigrationFacts facts{.money_per_unit = setting->prices.money_per_unit,
                                     .traffic = setting->traffic.stated,
                                     .demand = demand_sentence(command.policy),
                                     .price = setting->prices.stated};
  print_migrations(migrations, facts, command, console);
  return planning_status(*migrations.snapshot, failed_services(migrations));
}

}  // namespace

ExitCode run_migrate(const MigrateCommand& command, Console& console) {
  const Status status = migrate_and_print(command, console);
  if (status) return ExitCode::Answered;
  console.error(status.error().message);
  return ExitCode::Failed;
}

}  // namespace proxima::cli
