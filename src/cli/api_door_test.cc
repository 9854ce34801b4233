// SPDX-License-Identifier: Apache-2.0
// tests/system/up asks the API through it, from a node of a lab.
#include "cli/api_door.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>

namespace proxima::cli {
namespace {

TEST(ApiDoor, IsToldAsAnApiServerTellsOfItself) {
  const auto slice = boost::json::parse(api_slice("192.168.0.1", 43210));
  EXPECT_EQ(slice.at("metadata").at("labels").at("kubernetes.io/service-name"), "kubernetes");
  EXPECT_EQ(slice.at("addressType"), "IPv4");
  EXPECT_EQ(slice.at("endpoints").at(0).at("addresses").at(0), "192.168.0.1");
  EXPECT_EQ(slice.at("ports").at(0).at("port"), 43210);
  EXPECT_EQ(slice.at("ports").at(0).at("name"), "https") << "as the Service calls it";
}

}  // namespace
}  // namespace proxima::cli
