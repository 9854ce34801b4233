// SPDX-License-Identifier: Apache-2.0
// The dashboard asks only for metrics and labels that the programs have.
#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <cctype>
#include <fstream>
#include <functional>
#include <map>
#include <set>
#include <sstream>
#include <string>

#include "controller/controller_metrics.h"
#include "controller/mirroring_metrics.h"
#include "controller/work_queue_metrics.h"
#include "proxy/flow_metrics.h"
#include "proxy/proxy_metrics.h"
#include "support/source_folder.h"
#include "telemetry/metrics.h"
#include "telemetry/process_metrics.h"

namespace proxima {
namespace {

namespace json = boost::json;

// Name to labels, of both programs together.
using Known = std::map<std::string, std::set<std::string>>;

void add(Known& known, const telemetry::MetricsRegistry& registry) {
  for (const telemetry::MetricName& metric : registry.declared()) {
    known[metric.name].insert(metric.labels.begin(), metric.labels.end());
  }
}

Known known_metrics() {
  Known known;
  telemetry::MetricsRegistry controller;
  const controller::ControllerMetrics decisions(controller);
  const controller::MirroringMetrics mirroring(controller);
  const controller::WorkQueueMetrics queue(controller, "services");
  telemetry::add_process_metrics(controller);
  add(known, controller);
  telemetry::MetricsRegistry node;
  const proxy::ProxyMetrics routes(node);
  proxy::show_flows(node, std::make_shared<proxy::FlowBooks>(proxy::FlowAccountsOptions{}));
  telemetry::add_process_metrics(node);
  add(known, node);
  return known;
}

json::value dashboard() {
  std::ifstream file(test::source_folder() + "/deploy/grafana/proxima.json");
  std::stringstream text;
  text << file.rdbuf();
  return json::parse(text.str());
}

// Every text under the name "expr" or "query", wherever it stands.
void collect(const json::value& value, std::vector<std::string>& found) {
  if (const json::array* array = value.if_array()) {
    for (const json::value& item : *array) collect(item, found);
  }
  if (const json::object* object = value.if_object()) {
    for (const auto& [name, item] : *object) {
      const bool asks = (name == "expr" || name == "query") && item.is_string();
      if (asks) found.emplace_back(item.as_string());
      collect(item, found);
    }
  }
}

bool begins_name(char character) {
  return std::isalpha(static_cast<unsigned char>(character)) != 0 || character == '_';
}
bool in_name(char character) {
  return begins_name(character) || std::isdigit(static_cast<unsigned char>(character)) != 0;
}

struct Asked {
  std::set<std::string> metrics;
  std::set<std::string> labels;  // in braces, behind "by" and "on"
};

// Words that hold a '_' and are not called are metrics here; the rest of the language has none but
// in functions' names.
Asked asked_by(const std::string& expression) {
  Asked asked;
  bool quoted = false;
  bool labels = false;
  std::string last;
  for (std::size_t at = 0; at < expression.size();) {
    const char character = expression[at];
    if (character == '"') quoted = !quoted;
    if (quoted || !begins_name(character)) {
      if (character == '{' || (character == '(' && (last == "by" || last == "on"))) labels = true;
      if (character == '}' || character == ')') labels = false;
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < expression.size() && in_name(expression[end])) ++end;
    last = expression.substr(at, end - at);
    const bool called = end < expression.size() && expression[end] == '(';
    if (labels) {
      asked.labels.insert(last);
    } else if (!called && last.find('_') != std::string::npos) {
      asked.metrics.insert(last);
    }
    at = end;
  }
  return asked;
}

// Of a histogram's parts, the histogram.
std::string family_of(const Known& known, const std::string& metric) {
  for (const std::string part : {"_bucket", "_sum", "_count"}) {
    if (!metric.ends_with(part)) continue;
    std::string family = metric.substr(0, metric.size() - part.size());
    if (known.contains(family)) return family;
  }
  return metric;
}

// Those that a metric store adds, a histogram's own, and the one that the share of traffic within
// zones makes to compare two others.
const std::set<std::string> kAlwaysThere = {"instance", "job", "le", "zone"};

TEST(Dashboard, AsksOnlyForWhatThereIs) {
  const Known known = known_metrics();
  std::vector<std::string> expressions;
  collect(dashboard(), expressions);
  std::set<std::string> seen;
  for (const std::string& expression : expressions) {
    const Asked asked = asked_by(expression);
    std::set<std::string> labels = kAlwaysThere;
    for (const std::string& metric : asked.metrics) {
      const auto found = known.find(family_of(known, metric));
      EXPECT_NE(found, known.end()) << metric << " in " << expression;
      if (found == known.end()) continue;
      labels.insert(found->second.begin(), found->second.end());
      seen.insert(found->first);
    }
    for (const std::string& label : asked.labels) {
      EXPECT_TRUE(labels.contains(label)) << label << " in " << expression;
    }
  }
  EXPECT_GT(seen.size(), 20U);
}

TEST(Dashboard, IsReadRightByThisTest) {
  const Asked asked = asked_by(
      R"(histogram_quantile(0.9, sum by (le, zone) (rate(a_seconds_bucket{x=~"b_c",y!="d"}[5m]))))");
  EXPECT_EQ(asked.metrics, std::set<std::string>{"a_seconds_bucket"});
  EXPECT_EQ(asked.labels, (std::set<std::string>{"le", "zone", "x", "y"}));
}

TEST(Dashboard, GivesEveryPanelItsOwnNumberAndPlace) {
  std::set<std::int64_t> numbers;
  std::set<std::pair<std::int64_t, std::int64_t>> places;
  const json::value document = dashboard();
  const json::array& panels = document.at("panels").as_array();
  for (const json::value& panel : panels) {
    numbers.insert(panel.at("id").as_int64());
    places.emplace(panel.at("gridPos").at("x").as_int64(), panel.at("gridPos").at("y").as_int64());
  }
  EXPECT_EQ(numbers.size(), panels.size());
  EXPECT_EQ(places.size(), panels.size());
}

}  // namespace
}  // namespace proxima
