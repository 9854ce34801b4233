// SPDX-License-Identifier: Apache-2.0
#include "cli/input_flags.h"

#include "cli/cluster_flags.h"
#include "cli/value_rows.h"

namespace proxima::cli {
namespace {

constexpr const char* kInput = "Input";

FlagRows live_flags(KubeOptions& options) {
  FlagRows rows = cluster_flags(options, "Live cluster", "without -f the default",
                                ", then the lab that runs on this machine");
  for (FlagRow& row : rows) {
    // Rate limits do no harm beside a file; a cluster beside it would be ignored silently.
    if (row.names == "--kubeconfig" || row.names == "--context") row.excludes = {"--filename"};
  }
  return rows;
}

}  // namespace

FlagRows input_flags(InputOptions& options) {
  FlagRows rows = {
      list_row("-f,--filename", "FILE", kInput, options.files,
               "Read this file, every .json, .yaml and .yml file of this directory or .tar.gz, or "
               "standard input (-), instead of a live cluster"),
  };
  append(rows, live_flags(options.kube));
  rows.push_back(switch_row("--strict", kInput, options.strict,
                            "Fail at the first object that cannot be read"));
  return rows;
}

}  // namespace proxima::cli
