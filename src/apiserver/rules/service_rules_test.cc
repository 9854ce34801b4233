// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <string>

#include "apiserver/object_rules.h"
#include "apiserver/rules/kind_rules.h"

namespace proxima::apiserver::rules {
namespace {

// What is wrong with a Service of that distribution.
std::string distribution_faults(const std::string& distribution) {
  JsonFields service = {
      {"metadata", {{"name", "web"}, {"namespace", "shop"}}},
      {"spec",
       {{"ports", {{{"port", 80}}}}, {"trafficDistribution", boost::json::string(distribution)}}}};
  apply_defaults(resource_of(Kind::Service), service);
  FieldErrors errors;
  kServiceRules.check_create(errors, service);
  std::string out;
  for (const FieldError& error : errors.take()) out += to_text(error);
  return out;
}

TEST(ServiceRules, TakeADistributionWithTheNameOfADomain) {
  for (const char* known : {"PreferClose", "PreferSameZone", "PreferSameNode",
                            "proxima.io/balanced", "example.com/near"})
    EXPECT_EQ(distribution_faults(known), "") << known;
}

TEST(ServiceRules, RefuseAnyOtherDistributionThatIsUnknown) {
  for (const char* unknown : {"balanced", "/balanced", "proxima.io/", "proxima.io/a/b", "a b/c"})
    EXPECT_NE(distribution_faults(unknown).find("spec.trafficDistribution: Unsupported value"),
              std::string::npos)
        << unknown;
}

}  // namespace
}  // namespace proxima::apiserver::rules
