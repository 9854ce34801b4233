// SPDX-License-Identifier: Apache-2.0
// What Envoy's tests and documentation say about the load-aware locality policy.
#include <gtest/gtest.h>

#include <limits>
#include <map>

#include "conformance/envoy_vectors/vector_file.h"
#include "core/policy/load_aware_pick.h"
#include "core/policy/load_aware_tick.h"
#include "core/policy/zone_aware_config.h"

namespace proxima::conformance {
namespace {

namespace json = boost::json;
using policy::Locality;
using std::chrono::milliseconds;

// Identities in order of appearance; what this policy does depends on equality alone.
class Names {
 public:
  Locality locality(const std::string& name) {
    const auto next = static_cast<std::uint32_t>(known_.size());
    return Locality(known_.emplace(name, next).first->second);
  }

 private:
  std::map<std::string, std::uint32_t> known_;
};

// Hosts that report, and a tick after each step.
class LoadAwareWorld {
 public:
  explicit LoadAwareWorld(const json::object& params)
      : parameters_{.variance_threshold = params.at("variance_threshold").to_number<double>(),
                    .ewma_alpha = params.at("ewma_alpha").to_number<double>(),
                    .remote_probe_fraction = params.at("remote_probe_fraction").to_number<double>(),
                    .weight_expiration = milliseconds(number(params, "weight_expiration_ms", 0))} {}

  void step(const json::object& step) {
    if (const json::value* topology = field(step, "topology")) topology_ = topology->as_object();
    now_ += milliseconds(number(step, "advance_ms", 0));
    if (const json::value* reports = field(step, "reports")) {
      for (const auto& report : reports->as_object()) {
        record(std::string(report.key()), report.value().to_number<double>());
      }
    }
    tick();
  }
  const policy::LocalityWeights& weights(std::string_view view) const {
    const std::size_t index = view == "healthy" ? 0 : view == "degraded" ? 1 : 2;
    return tick_.published.at(0).at(index);
  }
  double weight(std::string_view view, const std::string& name) {
    const auto& known = weights(view).weights;
    const auto found = known.find(names_.locality(name));
    return found == known.end() ? 0 : found->second;
  }
  std::uint64_t counter(const std::string& name) const { return counters_.at(name); }

 private:
  void record(const std::string& host, double value) {
    const policy::OrcaReport report{
        .application_utilization = value, .cpu_utilization = 0, .metrics = {}};
    if (const auto utilization = policy::orca_utilization(report, {})) {
      samples_[host] = {*utilization, now_};
    }
  }

  policy::LoadAwareBucket read_bucket(const json::object& bucket) {
    std::map<std::string, policy::LoadAwareHost> hosts;
    const auto read = [&](const char* list, policy::HostHealth health) {
      for (const json::value& name : bucket.at(list).as_array()) hosts[text(name)].health = health;
    };
    read("all", policy::HostHealth::Unhealthy);
    read("healthy", policy::HostHealth::Healthy);
    read("degraded", policy::HostHealth::Degraded);
    policy::LoadAwareBucket result{names_.locality(text(bucket.at("id"))), {}};
    for (auto& [name, host] : hosts) {
      const auto sample = samples_.find(name);
      if (sample != samples_.end()) host.sample = sample->second;
      result.hosts.push_back(host);
    }
    return result;
  }

  void tick() {
    policy::LoadAwareHosts hosts;
    hosts.has_local = topology_.at("has_local").as_bool();
    for (const json::value& bucket : topology_.at("buckets").as_array()) {
      hosts.buckets.push_back(read_bucket(bucket.as_object()));
    }
    tick_ = policy::load_aware_tick({&hosts, 1}, tick_.memory, parameters_, now_);
    counters_["recompute_total"] += 1;
    counters_["all_overloaded_total"] += tick_.counters.all_overloaded;
    counters_["local_preferred_total"] += tick_.counters.local_preferred;
    counters_["spill_active_total"] += tick_.counters.spill_active;
    counters_["probe_active_total"] += tick_.counters.probe_active;
    counters_["stale_locality_total"] += tick_.counters.stale_localities;
  }

  policy::LoadAwareParameters parameters_;
  json::object topology_;
  milliseconds now_{0};
  std::map<std::string, policy::UtilizationSample> samples_;
  policy::LoadAwareTick tick_;
  std::map<std::string, std::uint64_t> counters_;
  Names names_;
};

void expect_share_between(LoadAwareWorld& world, std::string_view view, const std::string& name,
                          const json::array& bounds) {
  double total = 0;
  for (const auto& [locality, weight] : world.weights(view).weights) total += weight;
  const double share = world.weight(view, name) / total;
  EXPECT_GE(share, bounds.at(0).to_number<double>());
  EXPECT_LE(share, bounds.at(1).to_number<double>());
}

void expect_step(LoadAwareWorld& world, const json::object& expected) {
  const json::value* given = field(expected, "tol");
  const double tolerance = given == nullptr ? 1e-12 : given->as_double();
  // Each part is an object by view ("healthy", …), and mostly of objects by locality.
  const auto each = [&](const char* part, auto visit) {
    const json::value* views = field(expected, part);
    if (views == nullptr) return;
    for (const auto& view : views->as_object()) visit(std::string(view.key()), view.value());
  };
  each("weights", [&](const std::string& view, const json::value& weights) {
    for (const auto& weight : weights.as_object()) {
      EXPECT_NEAR(world.weight(view, std::string(weight.key())), weight.value().to_number<double>(),
                  tolerance)
          << view << " " << weight.key();
    }
  });
  each("share_between", [&](const std::string& view, const json::value& shares) {
    for (const auto& share : shares.as_object()) {
      expect_share_between(world, view, std::string(share.key()), share.value().as_array());
    }
  });
  each("all_local", [&](const std::string& view, const json::value& flag) {
    EXPECT_EQ(world.weights(view).all_local, flag.as_bool());
  });
  each("counters", [&](const std::string& name, const json::value& value) {
    EXPECT_EQ(world.counter(name), value.to_number<std::uint64_t>()) << name;
  });
}

TEST(EnvoyVectors, LoadAwareWeightsFollowReportsAsEnvoys) {
  for (const json::object* entry : envoy_vectors("load_aware_weights")) {
    SCOPED_TRACE(text(entry->at("name")));
    LoadAwareWorld world(entry->at("params").as_object());
    for (const json::value& step : entry->at("steps").as_array()) {
      SCOPED_TRACE(json::serialize(step));
      world.step(step.as_object());
      const json::value* expected = field(step.as_object(), "expect");
      if (expected != nullptr) expect_step(world, expected->as_object());
    }
  }
}

std::vector<policy::LiveBucket> live_buckets(const json::object& entry, Names& names) {
  std::vector<policy::LiveBucket> live;
  const json::array& usable = entry.at("usable").as_array();
  for (const json::value& name : entry.at("live").as_array()) {
    live.push_back({names.locality(text(name)), usable.at(live.size()).as_bool() ? 1u : 0u});
  }
  return live;
}

std::optional<policy::LocalityWeights> published_weights(const json::object& entry, Names& names) {
  const json::value* weights = field(entry, "published");
  if (weights == nullptr) return std::nullopt;
  policy::LocalityWeights published;
  for (const auto& weight : weights->as_object()) {
    published.weights.emplace(names.locality(std::string(weight.key())),
                              weight.value().to_number<double>());
  }
  return published;
}

TEST(EnvoyVectors, LoadAwarePicksFollowTheDraw) {
  for (const json::object* entry : envoy_vectors("load_aware_pick")) {
    SCOPED_TRACE(text(entry->at("name")));
    Names names;
    const auto live = live_buckets(*entry, names);
    const auto published = published_weights(*entry, names);
    const auto pick = [&](std::uint64_t draw) {
      return policy::load_aware_pick(live, published ? &*published : nullptr, draw);
    };
    const json::object& asserted = entry->at("asserted").as_object();
    for (const json::value& expected : asserted.at("picks").as_array()) {
      const auto got = pick(expected.at("draw").to_number<std::uint64_t>());
      const json::value* bucket = field(expected.as_object(), "bucket");
      ASSERT_EQ(got.has_value(), bucket != nullptr);
      if (bucket == nullptr) continue;
      EXPECT_EQ(*got, bucket->to_number<std::uint64_t>());
    }
    if (const json::value* least = field(asserted, "at_least")) {
      std::uint64_t hits = 0;
      for (std::uint64_t draw = 0; draw < 100; ++draw) {
        hits += pick(draw) == least->at("bucket").to_number<std::uint64_t>();
      }
      EXPECT_GE(hits, least->at("count").to_number<std::uint64_t>());
    }
  }
}

double utilization_in(const json::object& report, std::string_view key) {
  const json::value* value = field(report, key);
  if (value == nullptr) return 0;
  if (value->is_string()) return std::numeric_limits<double>::infinity();
  return value->to_number<double>();
}

TEST(EnvoyVectors, OrcaReportsBecomeUtilizationAsEnvoys) {
  for (const json::object* entry : envoy_vectors("orca_utilization")) {
    SCOPED_TRACE(text(entry->at("name")));
    const json::object& report = entry->at("report").as_object();
    std::vector<policy::OrcaReport::Metric> metrics;
    if (const json::value* named = field(report, "named")) {
      for (const auto& metric : named->as_object()) {
        metrics.push_back({metric.key(), metric.value().to_number<double>()});
      }
    }
    std::vector<std::string> names;
    for (const json::value& name : entry->at("metric_names").as_array())
      names.push_back(text(name));
    const auto got = policy::orca_utilization(
        {.application_utilization = utilization_in(report, "application_utilization"),
         .cpu_utilization = utilization_in(report, "cpu_utilization"),
         .metrics = metrics},
        names);
    const json::object& asserted = entry->at("asserted").as_object();
    ASSERT_EQ(got.has_value(), asserted.at("stored").as_bool());
    if (!got) continue;
    EXPECT_EQ(*got, asserted.at("utilization").to_number<double>());
  }
}

policy::LoadAwareConfig read_config(const json::object& input) {
  policy::LoadAwareConfig config;
  const auto read = [&](std::string_view key, auto keep) {
    if (const json::value* value = field(input, key)) keep(value->to_number<double>());
  };
  const auto duration = [](double count) { return milliseconds(static_cast<std::int64_t>(count)); };
  read("weight_update_period_ms", [&](double v) { config.weight_update_period = duration(v); });
  read("smoothing_time_constant_ms",
       [&](double v) { config.smoothing_time_constant = duration(v); });
  read("weight_expiration_period_ms",
       [&](double v) { config.weight_expiration_period = duration(v); });
  read("utilization_variance_threshold",
       [&](double v) { config.utilization_variance_threshold = v; });
  read("remote_probe_fraction", [&](double v) { config.remote_probe_fraction = v; });
  return config;
}

void expect_config(const json::object& input, const json::object& asserted) {
  const policy::LoadAwareConfig config = read_config(input);
  ASSERT_EQ(policy::check_load_aware_config(config).has_value(), asserted.at("valid").as_bool());
  if (!asserted.contains("values")) return;
  const policy::LoadAwareParameters parameters = policy::load_aware_parameters(config);
  EXPECT_DOUBLE_EQ(parameters.ewma_alpha, asserted.at("ewma_alpha").as_double());
  const json::array& values = asserted.at("values").as_array();
  EXPECT_EQ(config.weight_update_period.count(), values.at(0).to_number<std::int64_t>());
  EXPECT_EQ(parameters.variance_threshold, values.at(1).to_number<double>());
  EXPECT_EQ(parameters.remote_probe_fraction, values.at(2).to_number<double>());
  EXPECT_EQ(parameters.weight_expiration.count(), values.at(3).to_number<std::int64_t>());
}

TEST(EnvoyVectors, ConfigurationsAreAcceptedRefusedAndTruncatedAsEnvoys) {
  for (const json::object* entry : envoy_vectors("config")) {
    SCOPED_TRACE(text(entry->at("name")));
    const json::object& input = entry->at("input").as_object();
    const json::object& asserted = entry->at("asserted").as_object();
    if (const json::value* percent = field(input, "percent_in")) {
      EXPECT_EQ(policy::truncated_percent(percent->to_number<double>()),
                number(asserted, "percent_out", 1000));
    } else {
      expect_config(input, asserted);
    }
  }
}

// A kind without a test here would pass unseen.
TEST(EnvoyVectors, EveryRecordedFactHasATest) {
  const std::map<std::string, std::size_t> covered = {
      {"zone_aware", 71},        {"fairness", 7},         {"priority_load", 44},
      {"locality_weighted", 22}, {"config", 16},          {"load_aware_weights", 35},
      {"load_aware_pick", 10},   {"orca_utilization", 6},
  };
  std::map<std::string, std::size_t> recorded;
  for (const json::value& entry : vectors_of("envoy_vectors.json")) {
    ++recorded[text(entry.at("kind"))];
  }
  EXPECT_EQ(recorded, covered);
}

}  // namespace
}  // namespace proxima::conformance
