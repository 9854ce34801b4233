// SPDX-License-Identifier: Apache-2.0
#include "agents/scale_plan.h"

#include <algorithm>
#include <tuple>

namespace proxima::agents {
namespace {

class FreeNames {
 public:
  FreeNames(std::string prefix, std::set<std::string> taken)
      : prefix_(std::move(prefix)), taken_(std::move(taken)) {}
  std::string next() {
    std::string name;
    do name = prefix_ + "-" + std::to_string(++last_);
    while (taken_.contains(name));
    return name;
  }

 private:
  std::string prefix_;
  std::set<std::string> taken_;
  std::size_t last_ = 0;
};

// "web-10" after "web-9": a longer name with the same beginning has the greater number.
bool goes_before(const ScaledPod& a, const ScaledPod& b) {
  return std::make_tuple(a.ready, b.name.size(), std::cref(b.name)) <
         std::make_tuple(b.ready, a.name.size(), std::cref(a.name));
}

}  // namespace

ScalePlan plan_scale(const std::string& service, const std::vector<ScaledPod>& present,
                     const std::set<std::string>& taken,
                     const std::map<std::string, std::size_t>& wanted) {
  ScalePlan plan;
  FreeNames names(service, taken);
  for (const auto& [zone, count] : wanted) {
    std::vector<ScaledPod> there;
    for (const ScaledPod& pod : present)
      if (pod.zone == zone) there.push_back(pod);
    std::sort(there.begin(), there.end(), goes_before);
    for (std::size_t i = there.size(); i < count; ++i) plan.created.push_back({names.next(), zone});
    for (std::size_t i = count; i < there.size(); ++i)
      plan.deleted.push_back(there[i - count].name);
  }
  return plan;
}

}  // namespace proxima::agents
