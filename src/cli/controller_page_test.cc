// SPDX-License-Identifier: Apache-2.0
// docs/controller.md and the program say the same.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "cli/command_line.h"
#include "support/source_folder.h"

namespace proxima::cli {
namespace {

std::string page() {
  std::ifstream file(test::source_folder() + "/docs/controller.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(ControllerPage, NamesEveryFlag) {
  const std::string text = page();
  const ProgramSpec program = describe_program();
  const CommandSpec* controller = program.find("controller");
  ASSERT_NE(controller, nullptr);
  for (const OptionSpec& option : controller->options) {
    const std::string& name = option.names.front();
    if (name == "-h") continue;
    EXPECT_NE(text.find("`" + name + "`"), std::string::npos) << name;
  }
}

TEST(ControllerPage, NamesNoFlagThatIsNotThere) {
  const std::string text = page();
  const ProgramSpec program = describe_program();
  std::string known;
  for (const OptionSpec& option : program.find("controller")->options)
    for (const std::string& name : option.names) known += " " + name + " ";
  const std::string table = text.substr(
      text.find("## Flags"), text.find("## Endpoints that users write") - text.find("## Flags"));
  std::size_t found = 0;
  for (std::size_t at = table.find("`--"); at != std::string::npos;
       at = table.find("`--", at + 1)) {
    const std::string name = table.substr(at + 1, table.find('`', at + 1) - at - 1);
    EXPECT_NE(known.find(" " + name + " "), std::string::npos) << name;
    ++found;
  }
  EXPECT_GT(found, 20U);
}

}  // namespace
}  // namespace proxima::cli
