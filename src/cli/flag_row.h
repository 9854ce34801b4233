// SPDX-License-Identifier: Apache-2.0
// A flag as a value, for commands whose flags are a table of their own: nobody but command_line.cc
// pays for the library that reads them.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"

namespace proxima::cli {

struct FlagRow {
  std::string names;        // "--config", or several: "-v,--v"; without dashes an argument
  std::string value;        // as help shows it: "FILE", "text|json"; "" for a switch
  std::string group;        // heading in the help
  std::string description;  // one sentence, without its full stop
  // Of a switch "true" or "false". An error: what was written, and what would be right.
  std::function<Status(const std::string& text)> set;
  bool required = false;
  bool repeatable = false;  // `set` is called for each
  // What it is by now, as a person would write it. None: nobody asks.
  std::function<std::string()> now = {};
};

}  // namespace proxima::cli
