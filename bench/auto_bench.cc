// SPDX-License-Identifier: Apache-2.0
// auto_bench QUESTIONS.jsonl: measures policy::auto_hints on the questions of a file, in
// nanoseconds an endpoint, as bench/peer measures upstream: parsed before the clock starts, median
// of batches.
#include <algorithm>
#include <boost/json.hpp>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>

#include "conformance/hints_question.h"
#include "core/policy/auto_hints.h"

namespace proxima {
namespace {

constexpr std::size_t kBatches = 15;
constexpr std::size_t kEndpointsInBatch = 200'000;

double best_nanoseconds(const conformance::HintsQuestion& question) {
  const policy::AutoOptions options;
  const policy::CpuRatios ratios =
      policy::cpu_ratios(question.nodes, question.zones.size(), options.missing, question.names);
  const policy::AutoInput input = question.input(ratios, options);
  std::vector<model::ZoneIndex> hint_of(question.endpoints.size());
  std::vector<unsigned char> written(question.slices.size());
  policy::AutoWorkspace workspace;
  const std::size_t endpoints = std::max<std::size_t>(1, question.endpoints.size());
  const std::size_t repeats = std::max<std::size_t>(1, kEndpointsInBatch / endpoints);
  double best = HUGE_VAL;  // the least disturbed batch: other programs can only add to it
  for (std::size_t batch = 0; batch < kBatches; ++batch) {
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < repeats; ++i) auto_hints(input, workspace, hint_of, written);
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count() / static_cast<double>(repeats * endpoints));
  }
  return best;
}

Result<double> measure(const boost::json::object& object) {
  PROXIMA_TRY(const conformance::HintsQuestion question, conformance::read_hints_question(object),
              "question");
  return best_nanoseconds(question);
}

int run(const char* path) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    boost::json::error_code failure;
    const boost::json::value question = boost::json::parse(line, failure);
    if (failure || !question.is_object()) {
      std::cerr << "auto_bench: " << path << ": not a question: " << line.substr(0, 80) << "\n";
      return 1;
    }
    const Result<double> nanoseconds = measure(question.get_object());
    if (!nanoseconds) {
      std::cerr << "auto_bench: " << nanoseconds.error().message << "\n";
      return 1;
    }
    std::cout << boost::json::object{{"name", question.at("name")}, {"nsPerEndpoint", *nanoseconds}}
              << std::endl;
  }
  return 0;
}

}  // namespace
}  // namespace proxima

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: auto_bench QUESTIONS.jsonl\n";
    return 2;
  }
  return proxima::run(argv[1]);
}
