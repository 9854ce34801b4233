// SPDX-License-Identifier: Apache-2.0
// Writes the page of the example comparison to a file, to look at: example_page FILE [SERVICES].
// With a number, the example's services are repeated until there are that many.
#include <charconv>
#include <cstring>
#include <fstream>
#include <iostream>

#include "cli/compare_page.h"
#include "support/example_comparison.h"

int main(int argc, char** argv) {
  if (argc < 2) {
    std::cerr << "usage: example_page FILE [SERVICES]\n";
    return 2;
  }
  auto services = proxima::testing::example_services();
  const std::size_t once = services.size();
  std::size_t wanted = once;
  if (argc > 2) std::from_chars(argv[2], argv[2] + std::strlen(argv[2]), wanted);
  while (services.size() < wanted) services.push_back(services[services.size() % once]);
  const auto comparison = proxima::testing::compare_examples(services);
  std::ofstream(argv[1], std::ios::binary)
      << proxima::cli::render_compare_page(comparison, proxima::testing::example_page_info());
  return 0;
}
