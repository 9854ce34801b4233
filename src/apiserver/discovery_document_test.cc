// SPDX-License-Identifier: Apache-2.0
#include "apiserver/discovery_document.h"

#include <gtest/gtest.h>

#include <boost/json/serialize.hpp>

namespace proxima::apiserver {
namespace {

using boost::json::serialize;

TEST(DiscoveryDocument, NamesEveryKindInBothForms) {
  std::string old_form = serialize(api_resource_list(""));
  for (const std::string_view group : served_groups())
    old_form += serialize(api_resource_list(group));
  const std::string aggregated = serialize(group_discovery_list(AggregatedPart::Core, "v2")) +
                                 serialize(group_discovery_list(AggregatedPart::Groups, "v2"));
  for (const ResourceType& type : served_resources()) {
    SCOPED_TRACE(type.plural);
    EXPECT_NE(old_form.find("\"name\":\"" + std::string(type.plural) + "\""), std::string::npos);
    EXPECT_NE(aggregated.find("\"resource\":\"" + std::string(type.plural) + "\""),
              std::string::npos);
  }
}

TEST(DiscoveryDocument, LooksAsUpstreams) {
  EXPECT_EQ(serialize(api_group("discovery.k8s.io")),
            R"({"kind":"APIGroup","apiVersion":"v1","name":"discovery.k8s.io",)"
            R"("versions":[{"groupVersion":"discovery.k8s.io/v1","version":"v1"}],)"
            R"("preferredVersion":{"groupVersion":"discovery.k8s.io/v1","version":"v1"}})");
  EXPECT_EQ(serialize(api_versions("10.0.0.1:443")),
            R"({"kind":"APIVersions","versions":["v1"],"serverAddressByClientCIDRs":)"
            R"([{"clientCIDR":"0.0.0.0/0","serverAddress":"10.0.0.1:443"}]})");
  EXPECT_EQ(
      serialize(api_resource_list("coordination.k8s.io")),
      R"({"kind":"APIResourceList","apiVersion":"v1","groupVersion":"coordination.k8s.io/v1",)"
      R"("resources":[{"name":"leases","singularName":"lease","namespaced":true,)"
      R"("kind":"Lease","verbs":["create","delete","deletecollection","get","list","patch",)"
      R"("update","watch"]}]})");
}

TEST(DiscoveryDocument, OffersNoWritesForWhatIsReadOnly) {
  EXPECT_EQ(verbs_of(resource_of(Kind::IpAddress)),
            (std::vector<std::string_view>{"get", "list", "watch"}));
}

}  // namespace
}  // namespace proxima::apiserver
