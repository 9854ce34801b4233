// SPDX-License-Identifier: Apache-2.0
// What a person is told when everything runs. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace proxima::cli {

struct UpSummary {
  std::size_t zones = 0;
  std::size_t nodes = 0;
  std::size_t services = 0;
  double requests_per_second = 0;
  bool simulated = false;
  bool kept = false;  // the data directory stays
  std::string page;   // with its token: for the terminal only
  std::string kubeconfig;
  std::string logs;
  std::string program;  // as the user would call it
  // What there is to try something with; "": nothing.
  std::string service;
  std::string zone;
};

std::string render_summary(const UpSummary& summary);

// What the example cluster has to try something with, where it is there: a cluster that was kept
// may have become another. Else the second of those that are there, which can be spared sooner than
// the first, or the only one; "": there are none.
std::string one_to_try(const std::vector<std::string>& there, const std::string& wanted);

}  // namespace proxima::cli
