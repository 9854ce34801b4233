// SPDX-License-Identifier: Apache-2.0
#include "telemetry/metrics.h"

#include <prometheus/check_names.h>
#include <prometheus/counter.h>
#include <prometheus/gauge.h>
#include <prometheus/histogram.h>
#include <prometheus/text_serializer.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <set>
#include <sstream>

#include "base/check.h"

namespace proxima::telemetry {
namespace {

template <class Series>
struct Behind;
template <>
struct Behind<Counter> {
  using Type = prometheus::Counter;
};
template <>
struct Behind<Gauge> {
  using Type = prometheus::Gauge;
};
template <>
struct Behind<Histogram> {
  using Type = prometheus::Histogram;
};

// The library writes help as it is, and a line break would begin a line of its own.
std::string escaped_help(const std::string& help) {
  std::string out;
  for (const char c : help) {
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\\') {
      out += "\\\\";
    } else {
      out += c;
    }
  }
  return out;
}

bool may_be_label(const std::string& name) {
  return prometheus::CheckLabelName(name) && name != "le";  // "le" is a histogram's own
}

// By name and labels: the library's order is that of a hash.
void sort_series(std::vector<prometheus::MetricFamily>& families) {
  std::sort(families.begin(), families.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  for (prometheus::MetricFamily& family : families)
    std::sort(family.metric.begin(), family.metric.end(),
              [](const auto& a, const auto& b) { return a.label < b.label; });
}

}  // namespace

// The series are kept here and not in a family of the library, which looks at all of them to remove
// one: taking away what 10,000 Services showed would take minutes.
template <class Series>
struct Family<Series>::State {
  using Type = typename Behind<Series>::Type;

  State(const MetricName& of, std::vector<double> buckets) : name(of), bounds(std::move(buckets)) {}

  std::unique_ptr<Type> make() const {
    if constexpr (std::is_same_v<Series, Histogram>) {
      return std::make_unique<Type>(bounds);
    } else {
      return std::make_unique<Type>();
    }
  }

  bool is(const MetricName& other, const std::vector<double>& buckets) const {
    return name.name == other.name && name.help == other.help && name.labels == other.labels &&
           bounds == buckets;
  }

  prometheus::MetricFamily collect() {
    prometheus::MetricFamily out;
    out.name = name.name;
    out.help = escaped_help(name.help);
    out.type = Type::metric_type;
    const std::lock_guard guard(mutex);
    for (const auto& [values, metric] : series) {
      prometheus::ClientMetric sample = metric->Collect();
      for (std::size_t i = 0; i < values.size(); ++i)
        sample.label.push_back({name.labels[i], values[i]});
      std::sort(sample.label.begin(), sample.label.end());
      out.metric.push_back(std::move(sample));
    }
    return out;
  }

  MetricName name;
  std::vector<double> bounds;
  std::mutex mutex;
  std::map<LabelValues, std::unique_ptr<Type>> series;
};

template <class Series>
Series Family<Series>::with(const LabelValues& values) const {
  PROXIMA_CHECK(values.size() == state_->name.labels.size());
  const std::lock_guard guard(state_->mutex);
  auto& found = state_->series[values];
  if (found == nullptr) found = state_->make();
  return Series(*found);
}

template <class Series>
void Family<Series>::remove(const LabelValues& values) const {
  const std::lock_guard guard(state_->mutex);
  state_->series.erase(values);
}

template <class Series>
void Family<Series>::clear() const {
  const std::lock_guard guard(state_->mutex);
  state_->series.clear();
}

template class Family<Counter>;
template class Family<Gauge>;
template class Family<Histogram>;

void Counter::add(double amount) const { series_->Increment(amount); }
double Counter::value() const { return series_->Value(); }
void Gauge::set(double value) const { series_->Set(value); }
void Gauge::add(double amount) const { series_->Increment(amount); }
double Gauge::value() const { return series_->Value(); }
void Histogram::observe(double value) const { series_->Observe(value); }

std::vector<double> exponential_buckets(double start, double factor, std::size_t count) {
  std::vector<double> out;
  for (double bound = start; out.size() < count; bound *= factor) out.push_back(bound);
  return out;
}

std::vector<double> default_buckets() {
  return {0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10};
}

struct MetricsRegistry::State {
  template <class Series>
  using Kept = std::vector<std::unique_ptr<typename Family<Series>::State>>;

  template <class Series>
  Family<Series> declare(Kept<Series>& kept, const MetricName& name, std::vector<double> bounds) {
    const std::lock_guard guard(mutex);
    PROXIMA_CHECK(prometheus::CheckMetricName(name.name));
    PROXIMA_CHECK(std::all_of(name.labels.begin(), name.labels.end(), may_be_label));
    for (const auto& known : kept)
      if (!name.labels.empty() && known->is(name, bounds)) return Family<Series>(*known);
    PROXIMA_CHECK(names.insert(name.name).second);
    kept.push_back(std::make_unique<typename Family<Series>::State>(name, std::move(bounds)));
    return Family<Series>(*kept.back());
  }

  template <class Series>
  static void collect(const Kept<Series>& kept, std::vector<prometheus::MetricFamily>& out) {
    for (const auto& family : kept) {
      prometheus::MetricFamily samples = family->collect();
      if (!samples.metric.empty()) out.push_back(std::move(samples));
    }
  }

  std::vector<prometheus::MetricFamily> collect_all() {
    const std::lock_guard guard(mutex);
    std::vector<prometheus::MetricFamily> out;
    collect<Counter>(counters, out);
    collect<Gauge>(gauges, out);
    collect<Histogram>(histograms, out);
    return out;
  }

  std::mutex mutex;
  std::set<std::string> names;
  Kept<Counter> counters;
  Kept<Gauge> gauges;
  Kept<Histogram> histograms;
  std::vector<std::function<void()>> look_ups;
};

MetricsRegistry::MetricsRegistry() : state_(std::make_unique<State>()) {}
MetricsRegistry::~MetricsRegistry() = default;

CounterFamily MetricsRegistry::counters(const MetricName& name) {
  return state_->declare<Counter>(state_->counters, name, {});
}

GaugeFamily MetricsRegistry::gauges(const MetricName& name) {
  return state_->declare<Gauge>(state_->gauges, name, {});
}

HistogramFamily MetricsRegistry::histograms(const MetricName& name, std::vector<double> bounds) {
  PROXIMA_CHECK(!bounds.empty() && std::is_sorted(bounds.begin(), bounds.end()));
  return state_->declare<Histogram>(state_->histograms, name, std::move(bounds));
}

Counter MetricsRegistry::counter(const std::string& name, const std::string& help) {
  return counters({.name = name, .help = help}).with({});
}

Gauge MetricsRegistry::gauge(const std::string& name, const std::string& help) {
  return gauges({.name = name, .help = help}).with({});
}

Histogram MetricsRegistry::histogram(const std::string& name, const std::string& help,
                                     std::vector<double> bounds) {
  return histograms({.name = name, .help = help}, std::move(bounds)).with({});
}

void MetricsRegistry::before_rendering(std::function<void()> look_up) {
  const std::lock_guard guard(state_->mutex);
  state_->look_ups.push_back(std::move(look_up));
}

std::vector<MetricName> MetricsRegistry::declared() const {
  const std::lock_guard guard(state_->mutex);
  std::vector<MetricName> out;
  for (const auto& family : state_->counters) out.push_back(family->name);
  for (const auto& family : state_->gauges) out.push_back(family->name);
  for (const auto& family : state_->histograms) out.push_back(family->name);
  std::sort(out.begin(), out.end(),
            [](const MetricName& a, const MetricName& b) { return a.name < b.name; });
  return out;
}

std::string MetricsRegistry::render() const {
  std::vector<std::function<void()>> look_ups;
  {
    const std::lock_guard guard(state_->mutex);
    look_ups = state_->look_ups;
  }
  for (const auto& look_up : look_ups) look_up();
  std::vector<prometheus::MetricFamily> families = state_->collect_all();
  sort_series(families);
  std::ostringstream out;
  prometheus::TextSerializer().Serialize(out, families);
  return std::move(out).str();
}

}  // namespace proxima::telemetry
