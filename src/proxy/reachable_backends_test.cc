// SPDX-License-Identifier: Apache-2.0
#include "proxy/reachable_backends.h"

#include <gtest/gtest.h>

#include "support/packet_world.h"

namespace proxima::proxy {
namespace {

// The last number of each address, '@' for those that may meet themselves.
std::string reachable(std::string_view policies, std::string_view endpoints) {
  test::PacketWorld world(IpFamily::V4);
  world.add_service("ns/svc NodePort ip=$cluster port=p:80>30080 " + std::string(policies));
  world.add_slice("ns/svc port=p:80 " + std::string(endpoints));
  const auto ports = world.table().ports_of(Text("ns"), Text("svc"));
  const auto own = hairpin_backends(*ports.at(0));
  std::string text;
  for (const Backend& backend : reachable_backends(*ports.at(0))) {
    const bool is_own = std::find(own.begin(), own.end(), backend.at) != own.end();
    const std::string address = backend.at.address.text();
    text +=
        (text.empty() ? "" : " ") + address.substr(address.rfind('.') + 1) + (is_own ? "@" : "");
  }
  return text;
}

TEST(ReachableBackends, AreThoseOfAllPolicies) {
  const struct {
    const char* name;
    const char* policies;
    const char* endpoints;
    const char* reachable;
  } cases[] = {
      {"cluster-wide", "", "10.0.0.1@here 10.0.0.2@there", "1@ 2"},
      {"hints narrow both", "", "10.0.0.1@here+b 10.0.0.2@there+a", "2"},
      {"external Local brings its own back", "eLocal", "10.0.0.1@here+b 10.0.0.2@there+a", "1@ 2"},
      {"internal Local", "iLocal", "10.0.0.1@here 10.0.0.2@there", "1@ 2"},
      {"a local one that ends, beside a ready one", "eLocal", "10.0.0.1@here~ 10.0.0.2@there",
       "1@ 2"},
      {"nothing", "eLocal", "10.0.0.1!", ""},
  };
  for (const auto& c : cases) EXPECT_EQ(reachable(c.policies, c.endpoints), c.reachable) << c.name;
}

}  // namespace
}  // namespace proxima::proxy
