// SPDX-License-Identifier: Apache-2.0
// Counters, gauges and histograms as Prometheus reads them. Families are declared once, when the
// program is put together; series are then changed from any thread. A family whose labels have had
// no value yet shows nothing, and a metric without labels shows 0 at once: as Go's client does.
//
// A name or a label that Prometheus would refuse, a name twice and a wrong number of label values
// are mistakes in the program, not input, and stop it. A family with labels may be declared again
// in the same words: several parts of a program then have series of their own in it.
#pragma once

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace prometheus {
class Counter;
class Gauge;
class Histogram;
}  // namespace prometheus

namespace proxima::telemetry {

// One series of each kind: as cheap to copy as the pointer that it is. Valid until the registry
// ends or the series is removed. Changes cost nanoseconds and may come from any thread.
class Counter {
 public:
  explicit Counter(prometheus::Counter& series) : series_(&series) {}
  void add(double amount = 1) const;  // a negative amount changes nothing
  double value() const;

 private:
  prometheus::Counter* series_;
};

class Gauge {
 public:
  explicit Gauge(prometheus::Gauge& series) : series_(&series) {}
  void set(double value) const;
  void add(double amount) const;
  double value() const;

 private:
  prometheus::Gauge* series_;
};

class Histogram {
 public:
  explicit Histogram(prometheus::Histogram& series) : series_(&series) {}
  void observe(double value) const;

 private:
  prometheus::Histogram* series_;
};

// The values of a family's labels, in the order of their names at declaration.
using LabelValues = std::vector<std::string>;

// Every series of one name. Finding a series costs most of a microsecond: keep what is used often.
template <class Series>
class Family {
 public:
  struct State;
  explicit Family(State& state) : state_(&state) {}

  // The series with these values, made when it is not there.
  Series with(const LabelValues& values) const;
  // Nobody may use that series any more, nor be about to.
  void remove(const LabelValues& values) const;
  // The same for every series.
  void clear() const;

 private:
  State* state_;
};

using CounterFamily = Family<Counter>;
using GaugeFamily = Family<Gauge>;
using HistogramFamily = Family<Histogram>;

struct MetricName {
  std::string name;
  std::string help;
  std::vector<std::string> labels;
};

// Bounds that grow by `factor`: `start`, `start * factor`, …, `count` of them.
std::vector<double> exponential_buckets(double start, double factor, std::size_t count);
// What Go's client takes when nothing else is said: 5 ms to 10 s.
std::vector<double> default_buckets();

// Safe for concurrent use.
class MetricsRegistry {
 public:
  MetricsRegistry();
  ~MetricsRegistry();
  MetricsRegistry(const MetricsRegistry&) = delete;
  MetricsRegistry& operator=(const MetricsRegistry&) = delete;

  Counter counter(const std::string& name, const std::string& help);
  Gauge gauge(const std::string& name, const std::string& help);
  Histogram histogram(const std::string& name, const std::string& help, std::vector<double> bounds);
  CounterFamily counters(const MetricName& name);
  GaugeFamily gauges(const MetricName& name);
  // Bounds are upper bounds that a bucket includes, ascending, without infinity.
  HistogramFamily histograms(const MetricName& name, std::vector<double> bounds);

  // Called before every rendering, by the thread that renders: for values that are looked up and
  // not counted, such as the length of a queue.
  void before_rendering(std::function<void()> look_up);

  // Everything that was declared, also what has no series yet, by name.
  std::vector<MetricName> declared() const;

  // The text format, families by name, series by their labels.
  std::string render() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// Of render().
inline constexpr std::string_view kMetricsContentType = "text/plain; version=0.0.4; charset=utf-8";

}  // namespace proxima::telemetry
