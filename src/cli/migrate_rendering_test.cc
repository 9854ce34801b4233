// SPDX-License-Identifier: Apache-2.0
// What `proxima migrate` prints: text, documents and patches.
#include <gtest/gtest.h>

#include "cli/migrate_patches.h"
#include "cli/migrate_text.h"
#include "support/cluster.h"
#include "support/golden.h"
#include "support/parsed_command.h"

namespace proxima::cli {
namespace {

using plan::MoveTarget;

constexpr const char* kShopToMove =
    "node n1 a 4; node n2 b 4; node n3 c 4\n"
    "service shop/cart Auto; endpoint n1 x2 pod=cart; endpoint n2; endpoint n3\n"
    "service shop/dns headless; endpoint n1\n"
    "service shop/racks topology-keys=rack,topology.kubernetes.io/zone; endpoint n1; endpoint n2\n"
    "service shop/web topology-keys=topology.kubernetes.io/zone,*\n"
    "endpoint n1; endpoint n2; endpoint n3\n";

struct MigratedShop {
  explicit MigratedShop(const std::string& cluster = kShopToMove)
      : plan(plan::plan_cluster(test::cluster(cluster), {})),
        migrations(plan::plan_migrations(plan, {}, [](const model::Service&) { return true; })) {}
  plan::ClusterPlan plan;
  plan::Migrations migrations;
};

report::MigrationFacts migration_facts() {
  return {.money_per_unit = 0.02, .traffic = "1 GB each", .demand = "by CPU", .price = "$0.02"};
}

TEST(MigrateRendering, TextForPeople) {
  const MigratedShop shop;
  test::expect_golden("cli/golden/migrate.txt",
                      migrate_text(shop.migrations, migration_facts(), {}));
}

TEST(MigrateRendering, AsYaml) {
  MigratedShop shop;
  shop.migrations.services.resize(1);
  test::expect_golden(
      "cli/golden/migrate.yaml",
      migration_document(shop.migrations, migration_facts(), report::DocumentFormat::Yaml));
}

TEST(MigrateRendering, SuggestedPatches) {
  const MigratedShop shop;
  test::expect_golden("cli/golden/migrate_patches.yaml",
                      migrate_patches(shop.migrations, std::nullopt));
}

TEST(MigrateRendering, PatchesOfOneTarget) {
  MigratedShop shop;
  keep_target(shop.migrations, MoveTarget::TrafficDistribution);
  const std::string text = migrate_patches(shop.migrations, MoveTarget::TrafficDistribution);
  for (const char* name : {"# shop/cart: ", "# shop/racks: ", "# shop/web: "})
    EXPECT_NE(text.find(name), std::string::npos) << name;
  EXPECT_EQ(text.find("shop/dns"), std::string::npos);
  EXPECT_NE(text.find("# in the way: topology key rack has no counterpart"), std::string::npos);
  EXPECT_EQ(migrate_text(shop.migrations, migration_facts(), {}).find("balanced 20%"),
            std::string::npos);
}

TEST(MigrateRendering, NothingToPatchIsNothing) {
  const MigratedShop shop("node n1 a 4; node n2 b 4; service s/web PreferClose; endpoint n1");
  EXPECT_EQ(migrate_patches(shop.migrations, std::nullopt), "");
}

TEST(MigrateRendering, NamesCannotLeaveTheirCommentOrTheirWord) {
  const MigratedShop shop(
      "node n1 a 4; node n2 b 4; service s/a'b\x01"
      "c Auto; endpoint n1; endpoint n2");
  const std::string text = migrate_patches(shop.migrations, std::nullopt);
  EXPECT_NE(text.find("service 'a'\\''b\xEF\xBF\xBD"
                      "c' --namespace 's' --type merge"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find('\x01'), std::string::npos);
}

TEST(MigrateCommandLine, TakesTheFlagsOfPlanAndItsOwn) {
  const auto command = test::parsed<MigrateCommand>(
      "migrate -f a.json -n shop cart --to auto -o patch --traffic t.csv --overload 10%");
  EXPECT_EQ(command.input.files, std::vector<std::string>{"a.json"});
  EXPECT_EQ(command.services, std::vector<std::string>{"cart"});
  EXPECT_EQ(command.to, MoveTarget::Auto);
  EXPECT_EQ(command.output.format, OutputFormat::Patch);
  EXPECT_EQ(command.traffic_file, "t.csv");
  EXPECT_EQ(command.policy.overload, 0.1);
  EXPECT_FALSE(test::parsed<MigrateCommand>("migrate").to);
}

TEST(MigrateCommandLine, WrongValuesAreNamed) {
  for (const char* line : {"migrate --to moon", "migrate -o wide", "migrate cart -l app=cart"}) {
    SCOPED_TRACE(line);
    EXPECT_FALSE(parse_command_line(testing::words(line)));
  }
}

}  // namespace
}  // namespace proxima::cli
