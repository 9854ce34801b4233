// SPDX-License-Identifier: Apache-2.0
// A flag as a value. The flags of a command are a table of them, in a file of its own: nobody but
// command_line.cc pays for the library that reads them.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"

namespace proxima::cli {

// How often a flag or an argument may be given.
enum class Repeat : std::uint8_t {
  Never,
  Often,      // `set` is called for each
  InOneText,  // the same, and commas separate several in one text
};

struct FlagRow {
  std::string names;        // "--config", or several: "-v,--v"; without dashes an argument
  std::string value;        // as help shows it: "FILE", "text|json"; "" for a switch
  std::string group;        // heading in the help
  std::string description;  // one sentence, without its full stop
  // Of a switch "true" or "false". An error: what was written, and what would be right.
  std::function<Status(const std::string& text)> set;
  bool required = false;
  Repeat repeat = Repeat::Never;
  std::vector<std::string> excludes = {};  // names of earlier rows that are not given with it
  // What it is by now, as a person would write it. None: nobody asks.
  std::function<std::string()> now = {};
};

// The group of arguments whose name stands before what is wrong with them; help shows none.
inline constexpr const char* kArguments = "Arguments";

using FlagRows = std::vector<FlagRow>;

// `rows` with those of `more` behind them.
void append(FlagRows& rows, FlagRows more);

}  // namespace proxima::cli
