// SPDX-License-Identifier: Apache-2.0
#include "cli/compare_page_json.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/check.h"
#include "cli/dominance.h"
#include "cli/idle_settings.h"
#include "cli/script_json.h"

namespace proxima::cli {
namespace {

using plan::Comparison;
using plan::Outcome;
using plan::VariantTotal;

std::int64_t ten_thousandths(double share) { return std::llround(share * 10'000); }

std::string_view severity_name(policy::Reason reason) {
  constexpr std::string_view kNames[] = {"good", "info", "fallback", "refused", "broken"};
  return kNames[static_cast<std::size_t>(policy::text_of(reason).severity)];
}

// Sentences, each once, numbered in the order in which they first appear.
class Sentences {
 public:
  std::int64_t number_of(const policy::Note& note) {
    const auto [it, is_new] = numbers_.try_emplace(policy::sentence(note), notes_.size());
    if (is_new) notes_.push_back({&it->first, note.reason});
    return static_cast<std::int64_t>(it->second);
  }

  void write(ScriptJson& json) const {
    json.key("sentences").open('[');
    for (const auto& [text, reason] : notes_) {
      json.open('[').text(*text).text(severity_name(reason)).close(']');
    }
    json.close(']');
  }

 private:
  std::unordered_map<std::string, std::size_t> numbers_;
  std::vector<std::pair<const std::string*, policy::Reason>> notes_;
};

// One value where all are equal, which most columns of rare things are.
void write_column(ScriptJson& json, std::string_view name,
                  const std::vector<std::int64_t>& values) {
  json.key(name);
  const bool constant =
      std::ranges::adjacent_find(values, std::ranges::not_equal_to()) == std::ranges::end(values);
  if (constant && !values.empty()) {
    json.integer(values.front());
    return;
  }
  json.open('[');
  for (const std::int64_t value : values) json.integer(value);
  json.close(']');
}

template <class Value>
std::vector<std::int64_t> column_of(const Comparison& comparison, Value value) {
  std::vector<std::int64_t> result;
  result.reserve(comparison.services.size());
  for (const plan::ComparedService& service : comparison.services) result.push_back(value(service));
  return result;
}

void write_info(ScriptJson& json, const ComparePageInfo& info) {
  json.key("title").text(info.title);
  json.key("version").text(info.version);
  json.key("source").text(info.source);
  json.key("currency").text(info.currency);
  json.key("pricePerGb").number(info.price_per_gb);
  json.key("period").text(info.period);
  json.key("assumptions").open('{');
  json.key("price").text(info.price);
  json.key("traffic").text(info.traffic);
  json.key("demand").text(info.demand).close('}');
  json.key("now").integer(static_cast<std::int64_t>(info.as_configured));
  json.key("recommended").integer(static_cast<std::int64_t>(info.recommended));
}

void write_cluster(ScriptJson& json, const Comparison& comparison) {
  const model::Snapshot& snapshot = *comparison.snapshot;
  json.key("nodes").integer(static_cast<std::int64_t>(snapshot.nodes.size()));
  json.key("endpoints").integer(static_cast<std::int64_t>(snapshot.endpoints.size()));
  json.key("places").open('[');
  for (const model::ZoneInfo& zone : snapshot.zones) json.text(snapshot.names[zone.name]);
  if (comparison.places > snapshot.zones.size()) json.text("no zone");
  json.close(']');
}

// θ: a number, "inf", or null for a policy that has none.
void write_bound(ScriptJson& json, const plan::Variant& variant) {
  json.key("theta");
  if (variant.policy != policy::PolicyKind::Balanced || !variant.overload) {
    json.null();
  } else if (std::isinf(*variant.overload)) {
    json.text("inf");
  } else {
    json.number(*variant.overload);
  }
}

void write_total(ScriptJson& json, const VariantTotal& total) {
  json.key("local").number(total.local);
  json.key("cross").number(total.cross);
  json.key("rejected").number(total.rejected);
  json.key("worst").number(total.worst_overload);
  json.key("mean").number(total.mean_worst_overload);
  json.key("cost").number(total.cost);
  json.key("gb").number(total.gigabytes);
  json.key("flows").open('[');
  for (const double gigabytes : total.place_to_place) json.number(gigabytes);
  json.close(']');
}

void write_variants(ScriptJson& json, const Comparison& comparison) {
  const auto by_worst = dominated_by(comparison.totals, &VariantTotal::worst_overload);
  const auto by_mean = dominated_by(comparison.totals, &VariantTotal::mean_worst_overload);
  const auto index = [](std::optional<std::size_t> i) {
    return i ? static_cast<std::int64_t>(*i) : std::int64_t{-1};
  };
  json.key("variants").open('[');
  for (std::size_t i = 0; i < comparison.variants.size(); ++i) {
    json.open('{');
    json.key("name").text(comparison.variants[i].name);
    write_bound(json, comparison.variants[i]);
    write_total(json, comparison.totals[i]);
    json.key("dominatedBy").open('{');
    json.key("worst").integer(index(by_worst[i]));
    json.key("mean").integer(index(by_mean[i])).close('}');
    json.close('}');
  }
  json.close(']');
}

void write_idle(ScriptJson& json, const Comparison& comparison, const ComparePageInfo& info) {
  json.key("idle").open('[');
  for (const IdleSettings& group : idle_settings(comparison, info.as_configured)) {
    const policy::ReasonText& text = policy::text_of(group.reason);
    // The sentence of the service with most traffic: it has real figures in it.
    const plan::ComparedService& example = comparison.services[group.services.front()];
    json.open('{');
    json.key("code").text(text.code);
    json.key("severity").text(severity_name(group.reason));
    json.key("sentence").text(policy::sentence(example.outcomes[info.as_configured].why));
    json.key("remedy").text(text.remedy);
    json.key("gb").number(group.gigabytes);
    json.key("services").open('[');
    for (const std::size_t service : group.services) {
      json.integer(static_cast<std::int64_t>(service));
    }
    json.close(']').close('}');
  }
  json.close(']');
}

// What a unit of cross-zone traffic costs, when that is one number everywhere: then the page needs
// no column of costs.
std::optional<double> uniform_cost(const Comparison& comparison) {
  std::optional<double> price;
  for (const plan::ComparedService& service : comparison.services) {
    for (const Outcome& outcome : service.outcomes) {
      if (!price && outcome.cross > 1e-3) price = outcome.cost / outcome.cross;
      if (std::abs(outcome.cost - price.value_or(0) * outcome.cross) > 1e-9) return std::nullopt;
    }
  }
  return price.value_or(0);
}

void write_names(ScriptJson& json, const Comparison& comparison) {
  const model::Snapshot& snapshot = *comparison.snapshot;
  const auto service_of = [&](const plan::ComparedService& compared) -> const model::Service& {
    return snapshot.services[compared.service.value()];
  };
  write_column(json, "namespace", column_of(comparison, [&](const auto& compared) {
                 return static_cast<std::int64_t>(service_of(compared).ns.value());
               }));
  write_column(json, "family", column_of(comparison, [](const auto& compared) -> std::int64_t {
                 return compared.family == IpFamily::V4 ? 4 : 6;
               }));
  json.key("name").open('[');
  for (const auto& compared : comparison.services) {
    json.text(snapshot.names[service_of(compared).name]);
  }
  json.close(']');
  json.key("gb").open('[');
  for (const auto& compared : comparison.services) {
    json.number(compared.outcomes.empty() ? 0 : compared.outcomes.front().gigabytes);
  }
  json.close(']');
}

void write_outcomes(ScriptJson& json, const Comparison& comparison, std::size_t variant,
                    Sentences& sentences) {
  const auto column = [&](std::string_view name, auto value) {
    write_column(json, name, column_of(comparison, [&](const plan::ComparedService& service) {
                   return value(service.outcomes[variant]);
                 }));
  };
  json.open('{');
  column("local", [](const Outcome& outcome) { return ten_thousandths(outcome.local); });
  column("cross", [](const Outcome& outcome) { return ten_thousandths(outcome.cross); });
  column("rejected", [](const Outcome& outcome) { return ten_thousandths(outcome.rejected); });
  column("overload",
         [](const Outcome& outcome) { return ten_thousandths(outcome.worst_overload); });
  column("why", [&](const Outcome& outcome) { return sentences.number_of(outcome.why); });
}

void write_costs(ScriptJson& json, const Comparison& comparison, std::size_t variant) {
  json.key("cost").open('[');
  for (const auto& service : comparison.services) json.number(service.outcomes[variant].cost);
  json.close(']');
}

void write_services(ScriptJson& json, const Comparison& comparison, Sentences& sentences) {
  const model::Snapshot& snapshot = *comparison.snapshot;
  const std::optional<double> cost = uniform_cost(comparison);
  json.key("namespaces").open('[');
  for (const model::Namespace& ns : snapshot.namespaces) json.text(snapshot.names[ns.name]);
  json.close(']');
  json.key("services").open('{');
  write_names(json, comparison);
  json.key("costOfCross");
  cost ? json.number(*cost) : json.null();
  json.key("outcomes").open('[');
  for (std::size_t variant = 0; variant < comparison.variants.size(); ++variant) {
    write_outcomes(json, comparison, variant, sentences);
    if (!cost) write_costs(json, comparison, variant);
    json.close('}');
  }
  json.close(']').close('}');
}

}  // namespace

std::string compare_page_json(const Comparison& comparison, const ComparePageInfo& info) {
  PROXIMA_CHECK(info.as_configured < comparison.variants.size());
  PROXIMA_CHECK(info.recommended < comparison.variants.size());
  PROXIMA_CHECK(comparison.totals.size() == comparison.variants.size());
  ScriptJson json;
  Sentences sentences;
  json.open('{');
  write_info(json, info);
  write_cluster(json, comparison);
  write_variants(json, comparison);
  write_idle(json, comparison, info);
  write_services(json, comparison, sentences);
  sentences.write(json);
  json.close('}');
  return json.take();
}

}  // namespace proxima::cli
