// SPDX-License-Identifier: Apache-2.0
#include "web/live_history.h"

#include <algorithm>
#include <set>

#include "report/document.h"

namespace proxima::web {
namespace {

using report::DocumentWriter;

// One number of every point, where it is known.
template <class Points, class Find>
void write_column(DocumentWriter& writer, std::string_view key, const Points& points, Find find) {
  writer.key(key);
  writer.begin_array();
  for (const auto& point : points) {
    const std::optional<double> value = find(point);
    if (value) {
      writer.number(*value);
    } else {
      writer.null();
    }
  }
  writer.end_array();
}

struct PlannedTotals {
  double local = 0;
  double worst_overload = 0;
};

// Services count by their requests where these are known, and one like the other where none are.
// None: no service has a plan that anything flows by.
std::optional<PlannedTotals> planned_totals(const std::vector<ServicePicture>& services) {
  const bool is_measured = std::any_of(services.begin(), services.end(),
                                       [](const auto& one) { return one.measured.has_value(); });
  PlannedTotals out;
  double all = 0;
  for (const ServicePicture& service : services) {
    double weight = 1;
    if (is_measured) weight = service.measured ? service.measured->requests_per_second : 0;
    for (const FlowPicture& flow : service.plan.flows) {
      all += flow.share * weight;
      if (flow.from == flow.to) out.local += flow.share * weight;
    }
    out.worst_overload = std::max(out.worst_overload, service.plan.worst_overload);
  }
  if (all <= 0) return std::nullopt;
  out.local /= all;
  return out;
}

}  // namespace

LiveHistory::Sample LiveHistory::sample_of(const ServicePicture& service) {
  Sample sample;
  // Nothing is local or not where nothing flows.
  if (!service.plan.flows.empty()) {
    sample.plan_local = service.plan.local;
    sample.plan_overload = service.plan.worst_overload;
  }
  if (!service.measured) return sample;
  sample.local = service.measured->local;
  sample.overload = service.measured->worst_overload;
  sample.rate = service.measured->requests_per_second;
  sample.failed = static_cast<double>(service.measured->failed);
  if (service.cost) sample.cost = service.cost->per_month;
  return sample;
}

LiveHistory::Sample LiveHistory::totals_of(const LiveState& state) {
  Sample sample;
  if (const auto planned = planned_totals(state.services)) {
    sample.plan_local = planned->local;
    sample.plan_overload = planned->worst_overload;
  }
  if (!state.totals) return sample;
  sample.local = state.totals->local;
  sample.overload = state.totals->worst_overload;
  sample.rate = state.totals->requests_per_second;
  sample.failed = static_cast<double>(state.totals->failed);
  sample.cost = state.totals->cost_per_month;
  return sample;
}

LiveHistory::Point LiveHistory::point_of(std::int64_t time, const LiveState& state) {
  Point out{.time = time, .services = {}, .totals = totals_of(state)};
  for (const ServicePicture& service : state.services)
    out.services.emplace(service.full_name(), sample_of(service));
  return out;
}

void LiveHistory::add(std::int64_t second, const LiveState& state) {
  if (!points_.empty() && points_.back().time > second) return;
  Point point = point_of(second, state);
  if (replaces_last(point)) points_.pop_back();
  points_.push_back(std::move(point));
  const std::int64_t most = kHistorySeconds / step_ * kPointsOfAStep;
  while (points_.front().time + kHistorySeconds <= second ||
         static_cast<std::int64_t>(points_.size()) > most)
    points_.pop_front();
}

bool LiveHistory::same_figures(const Point& a, const Point& b) {
  return a.services == b.services && a.totals == b.totals;
}

bool LiveHistory::replaces_last(const Point& point) const {
  if (points_.empty()) return false;
  const Point& last = points_.back();
  if (last.time == point.time) return true;
  if (points_.size() < 2 || last.time / step_ != point.time / step_) return false;
  return same_figures(last, point) && same_figures(points_[points_.size() - 2], last);
}

std::string LiveHistory::document() const {
  std::set<std::string> services;
  for (const Point& point : points_)
    for (const auto& [name, sample] : point.services) services.insert(name);
  DocumentWriter writer(report::DocumentFormat::Compact);
  const auto columns = [&](const auto& find) {
    const auto column = [&](std::string_view key, std::optional<double> Sample::*field) {
      write_column(writer, key, points_, [&](const Point& point) -> std::optional<double> {
        const Sample* sample = find(point);
        return sample == nullptr ? std::nullopt : sample->*field;
      });
    };
    writer.begin_object();
    column("local", &Sample::local);
    column("overload", &Sample::overload);
    column("planLocal", &Sample::plan_local);
    column("planOverload", &Sample::plan_overload);
    column("rate", &Sample::rate);
    column("failed", &Sample::failed);
    column("cost", &Sample::cost);
    writer.end_object();
  };
  writer.begin_object();
  writer.field("step", step_);
  writer.key("times");
  writer.begin_array();
  for (const Point& point : points_) writer.integer(point.time);
  writer.end_array();
  writer.key("services");
  writer.begin_object();
  for (const std::string& service : services) {
    writer.key(service);
    columns([&](const Point& point) -> const Sample* {
      const auto found = point.services.find(service);
      return found == point.services.end() ? nullptr : &found->second;
    });
  }
  writer.end_object();
  writer.key("totals");
  columns([](const Point& point) { return &point.totals; });
  writer.end_object();
  return std::move(writer).finish();
}

}  // namespace proxima::web
