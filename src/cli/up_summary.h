// SPDX-License-Identifier: Apache-2.0
// What a person is told when everything runs. Pure.
#pragma once

#include <cstddef>
#include <string>

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

}  // namespace proxima::cli
