// SPDX-License-Identifier: Apache-2.0
#include "web/live_history.h"

#include <set>

#include "report/document.h"

namespace proxima::web {
namespace {

using report::DocumentWriter;

// One number of every second, where it is known.
template <class Seconds, class Find>
void write_column(DocumentWriter& writer, std::string_view key, const Seconds& seconds, Find find) {
  writer.key(key);
  writer.begin_array();
  for (const auto& second : seconds) {
    const std::optional<double> value = find(second);
    if (value) {
      writer.number(*value);
    } else {
      writer.null();
    }
  }
  writer.end_array();
}

}  // namespace

LiveHistory::Second LiveHistory::second_of(std::int64_t time, const LiveState& state) {
  Second out{.time = time, .services = {}, .totals = {}};
  for (const ServicePicture& service : state.services) {
    Sample& sample = out.services[service.full_name()];
    if (!service.measured) continue;
    sample.local = service.measured->local;
    sample.overload = service.measured->worst_overload;
    sample.rate = service.measured->requests_per_second;
    sample.failed = static_cast<double>(service.measured->failed);
    if (service.cost) sample.cost = service.cost->per_month;
  }
  if (!state.totals) return out;
  out.totals.local = state.totals->local;
  out.totals.overload = state.totals->worst_overload;
  out.totals.rate = state.totals->requests_per_second;
  out.totals.failed = static_cast<double>(state.totals->failed);
  out.totals.cost = state.totals->cost_per_month;
  return out;
}

void LiveHistory::add(std::int64_t second, const LiveState& state) {
  if (!seconds_.empty() && seconds_.back().time > second) return;
  if (!seconds_.empty() && seconds_.back().time == second) seconds_.pop_back();
  seconds_.push_back(second_of(second, state));
  while (seconds_.front().time + static_cast<std::int64_t>(kHistorySeconds) <= second)
    seconds_.pop_front();
}

std::string LiveHistory::document() const {
  std::set<std::string> services;
  for (const Second& second : seconds_)
    for (const auto& [name, sample] : second.services) services.insert(name);
  DocumentWriter writer(report::DocumentFormat::Compact);
  const auto columns = [&](const auto& sample_of) {
    const auto column = [&](std::string_view key, std::optional<double> Sample::*field) {
      write_column(writer, key, seconds_, [&](const Second& second) -> std::optional<double> {
        const Sample* sample = sample_of(second);
        return sample == nullptr ? std::nullopt : sample->*field;
      });
    };
    writer.begin_object();
    column("local", &Sample::local);
    column("overload", &Sample::overload);
    column("rate", &Sample::rate);
    column("failed", &Sample::failed);
    column("cost", &Sample::cost);
    writer.end_object();
  };
  writer.begin_object();
  writer.field("step", 1);
  writer.key("times");
  writer.begin_array();
  for (const Second& second : seconds_) writer.integer(second.time);
  writer.end_array();
  writer.key("services");
  writer.begin_object();
  for (const std::string& service : services) {
    writer.key(service);
    columns([&](const Second& second) -> const Sample* {
      const auto found = second.services.find(service);
      return found == second.services.end() ? nullptr : &found->second;
    });
  }
  writer.end_object();
  writer.key("totals");
  columns([](const Second& second) { return &second.totals; });
  writer.end_object();
  return std::move(writer).finish();
}

}  // namespace proxima::web
