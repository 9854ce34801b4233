// SPDX-License-Identifier: Apache-2.0
// proxima-conformance KIND: answers questions, so that other implementations can be asked the same.
#include <CLI/CLI.hpp>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "conformance/answer_line.h"

namespace proxima::conformance {
namespace {

constexpr int kExitUsage = 2;

const std::map<std::string, policy::MissingNodeData> kMissing = {
    {"disable", policy::MissingNodeData::Disable},
    {"one-core", policy::MissingNodeData::OneCore},
    {"ignore", policy::MissingNodeData::Ignore}};

// Each answer is flushed, so that the program works as a co-process: a line in, a line out.
void answer_all(const Kind& kind, const Options& options) {
  std::string line;
  while (std::getline(std::cin, line)) {
    if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
    std::cout << kind.answer(line, options) << std::endl;
  }
}

int run(int argc, char** argv) {
  CLI::App app("Answers one JSON question a line from standard input, one answer a line.",
               "proxima-conformance");
  std::string kind_name;
  Options options;
  std::string missing = "disable";
  const auto names = Kind::names();
  app.add_option("KIND", kind_name, "What is asked")
      ->required()
      ->check(CLI::IsMember(std::vector<std::string>(names.begin(), names.end())));
  app.add_option("--start", options.auto_options.start_below,
                 "hints: begin while the expected overload is within this")
      ->capture_default_str();
  app.add_option("--stop", options.auto_options.stop_above,
                 "hints: end when the expected overload exceeds this")
      ->capture_default_str();
  app.add_option("--missing", missing, "hints: what a node without zone or CPU means")
      ->check(CLI::IsMember(kMissing))
      ->capture_default_str();
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? 0 : kExitUsage;
  }
  options.auto_options.missing = kMissing.at(missing);
  answer_all(*Kind::parse(kind_name), options);
  return 0;
}

}  // namespace
}  // namespace proxima::conformance

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  return proxima::conformance::run(argc, argv);
}
