// SPDX-License-Identifier: Apache-2.0
// Writes comparison pages without a cluster into a folder, to test and to look at:
// example_pages FOLDER.
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "cli/compare_page.h"
#include "support/example_comparison.h"

namespace proxima::testing {
namespace {

struct ExamplePage {
  std::string name;  // of its file
  plan::Comparison comparison;
  cli::ComparePageInfo info = example_page_info();
};

ExamplePage script_in_a_name() {
  auto services = example_services();
  services.front().name = "</script><script>window.smuggled=1</script><img src=x onerror=alert(1)>";
  services.front().gigabytes = 1e6;
  return {"script_in_a_name", compare_examples(services)};
}

ExamplePage without_price() {
  ExamplePage page{"without_price", example_comparison()};
  page.info.price_per_gb = 0;
  page.info.period.clear();
  return page;
}

// Traffic between zones without services, for the heat map.
ExamplePage zones(std::size_t count) {
  plan::Comparison comparison = compare_examples({});
  model::Snapshot snapshot;
  for (std::size_t zone = 0; zone < count; ++zone) {
    const std::string name = "europe-central2-" + std::string(1, static_cast<char>('a' + zone));
    snapshot.zones.push_back({snapshot.names.intern(name), {}});
  }
  comparison.snapshot = std::make_shared<const model::Snapshot>(std::move(snapshot));
  comparison.places = count + 1;
  for (plan::VariantTotal& total : comparison.totals) {
    total = {.local = 0.5, .cross = 0.5, .gigabytes = 1e5, .place_to_place = {}};
    total.place_to_place.resize(comparison.places * comparison.places);
    for (std::size_t i = 0; i < count * count; ++i) {
      total.place_to_place[i / count * comparison.places + i % count] =
          123 + static_cast<double>(i);
    }
  }
  return {"zones_" + std::to_string(count), std::move(comparison)};
}

ExamplePage one_policy() {
  ExamplePage page{"one_policy", example_comparison()};
  page.comparison.variants.resize(1);
  page.comparison.totals.resize(1);
  for (auto& service : page.comparison.services) service.outcomes.resize(1);
  page.info.recommended = 0;
  return page;
}

// The example's services again and again.
ExamplePage ten_thousand_services() {
  auto services = example_services();
  const std::size_t once = services.size();
  while (services.size() < 10'000) services.push_back(services[services.size() % once]);
  return {"ten_thousand_services", compare_examples(services)};
}

std::vector<ExamplePage> example_pages() {
  std::vector<ExamplePage> pages;
  pages.push_back({"example", example_comparison()});
  pages.push_back(script_in_a_name());
  pages.push_back(without_price());
  pages.push_back({"no_services", compare_examples({})});
  for (const std::size_t count : {2U, 6U, 15U}) pages.push_back(zones(count));
  pages.push_back(one_policy());
  pages.push_back(ten_thousand_services());
  return pages;
}

}  // namespace
}  // namespace proxima::testing

int main(int argc, char** argv) {
  if (argc != 2) {
    std::cerr << "usage: example_pages FOLDER\n";
    return 2;
  }
  for (const auto& page : proxima::testing::example_pages()) {
    const std::string path = std::string(argv[1]) + "/" + page.name + ".html";
    std::ofstream file(path, std::ios::binary);
    file << proxima::cli::render_compare_page(page.comparison, page.info);
    if (file.flush()) continue;
    std::cerr << "example_pages: cannot write " << path << "\n";
    return 1;
  }
}
