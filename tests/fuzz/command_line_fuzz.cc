// SPDX-License-Identifier: Apache-2.0
// Whatever a shell may pass, one argument a line: a command, or an error that says where to read
// more.
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "cli/command_line.h"
#include "cli/service_choice.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  std::vector<std::string> arguments;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() == text.size() ? text.size() : line.size() + 1);
    arguments.emplace_back(line);
    if (const auto reference = proxima::cli::parse_service_reference(line))
      PROXIMA_CHECK(!reference->name.empty());
  }
  const auto command = proxima::cli::parse_command_line(arguments);
  PROXIMA_CHECK(command || command.error().message.find("See 'proxima ") != std::string::npos);
  return 0;
}
