// SPDX-License-Identifier: Apache-2.0
#include <boost/json/value.hpp>
#include <map>

#include "apiserver/rules/pod_parts.h"
#include "base/quantity.h"

namespace proxima::apiserver::rules {
namespace {

// What counts for quality of service: CPU and memory, and only when it is not 0.
std::map<std::string_view, Quantity> compute(const JsonFields& list) {
  std::map<std::string_view, Quantity> out;
  for (const std::string_view name : {"cpu", "memory"}) {
    const auto amount = Quantity::parse(text_at(list, name));
    if (amount && !amount->is_zero()) out.emplace(name, *amount);
  }
  return out;
}

}  // namespace

std::string_view quality_of_service(const JsonFields& spec) {
  bool any = false;
  bool guaranteed = true;
  std::map<std::string_view, Quantity> requested;
  std::map<std::string_view, Quantity> limited;
  for (const std::string_view key : {"containers", "initContainers"}) {
    for (const boost::json::value& item : array_at(spec, key)) {
      const JsonFields& resources = object_at(object_of(item), "resources");
      const auto requests = compute(object_at(resources, "requests"));
      const auto limits = compute(object_at(resources, "limits"));
      any = any || !requests.empty() || !limits.empty();
      guaranteed = guaranteed && limits.size() == 2;
      for (const auto& [name, amount] : requests) requested[name] += amount;
      for (const auto& [name, amount] : limits) limited[name] += amount;
    }
  }
  if (!any) return "BestEffort";
  return guaranteed && requested == limited ? "Guaranteed" : "Burstable";
}

}  // namespace proxima::apiserver::rules
