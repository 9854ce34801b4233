// SPDX-License-Identifier: Apache-2.0
#include "cli/up_shape.h"

#include <gtest/gtest.h>

namespace proxima::cli {
namespace {

// "even:a=2,b=2 …", so that a row can be read.
std::string services_of(const agents::LabShape& shape) {
  std::string out;
  for (const agents::ServiceShape& service : shape.services) {
    out += (out.empty() ? "" : " ") + service.name + ":";
    for (const auto& [zone, count] : service.endpoints)
      if (count > 0)
        out += (out.back() == ':' ? "" : ",") + zone.substr(5) + "=" + std::to_string(count);
  }
  return out;
}

TEST(ExampleShape, KeepsItsKindsOfServicesWithAnyNumberOfZones) {
  const std::pair<std::size_t, const char*> rows[] = {
      {1, "even:a=2 lopsided:a=2 single:a=3"},
      {2, "even:a=2,b=2 lopsided:a=2,b=1 single:a=3"},
      {3, "even:a=2,b=2,c=2 lopsided:a=2,b=1,c=1 single:a=3"},
      {5, "even:a=2,b=2,c=2,d=2,e=2 lopsided:a=2,b=1,c=1,d=1,e=1 single:a=3"},
  };
  for (const auto& [zones, services] : rows) {
    UpCommand command;
    command.zones = zones;
    command.nodes_per_zone = 4;
    const agents::LabShape shape = example_shape(command);
    EXPECT_EQ(services_of(shape), services);
    ASSERT_EQ(shape.zones.size(), zones);
    EXPECT_EQ(shape.zones.back().name, std::string("zone-") + static_cast<char>('a' + zones - 1));
    EXPECT_EQ(shape.zones.back().nodes, 4U);
    EXPECT_FALSE(agents::fault_in(shape));
  }
}

// examples/lab.yaml and scenarios without Services are held against the default, not against this.
TEST(ExampleShape, IsTheDefaultWithPolicyAutoWhenNothingIsAskedFor) {
  const agents::LabShape shape = example_shape(UpCommand{});
  const agents::LabShape usual = agents::default_shape();
  EXPECT_EQ(services_of(shape), services_of(usual));
  EXPECT_EQ(shape.zones.size(), usual.zones.size());
  EXPECT_EQ(shape.requests_per_second, usual.requests_per_second);
  for (const agents::ServiceShape& service : shape.services) EXPECT_EQ(service.policy, "auto");
}

TEST(ExampleShape, SendsWhatItIsTold) {
  UpCommand command;
  EXPECT_GT(with_rate(example_shape(command), command).requests_per_second, 0);
  command.rate = 5;
  EXPECT_EQ(with_rate(example_shape(command), command).requests_per_second, 5);
  command.traffic = false;
  EXPECT_EQ(with_rate(example_shape(command), command).requests_per_second, 0);
}

}  // namespace
}  // namespace proxima::cli
