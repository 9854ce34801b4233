// SPDX-License-Identifier: Apache-2.0
#include "cli/node_routes.h"

#include <gtest/gtest.h>

namespace proxima::cli {
namespace {

struct OriginRow {
  const char* what;
  const char* address;
  const char* origin;  // "": refused
};

class NodeProxyOrigin : public ::testing::TestWithParam<OriginRow> {};

TEST_P(NodeProxyOrigin, IsWhereMetricsAre) {
  const OriginRow& row = GetParam();
  const auto origin = node_proxy_origin(row.address);
  EXPECT_EQ(origin ? *origin : "", row.origin) << row.what;
}

INSTANTIATE_TEST_SUITE_P(
    Rows, NodeProxyOrigin,
    ::testing::Values(OriginRow{"a host alone gets the usual port", "10.0.0.5",
                                "http://10.0.0.5:10249"},
                      OriginRow{"a name too", "worker-7", "http://worker-7:10249"},
                      OriginRow{"a port stays", "worker-7:9000", "http://worker-7:9000"},
                      OriginRow{"IPv6 gets brackets", "fd00::5", "http://[fd00::5]:10249"},
                      OriginRow{"brackets without a port", "[fd00::5]", "http://[fd00::5]:10249"},
                      OriginRow{"brackets with a port", "[fd00::5]:9000", "http://[fd00::5]:9000"},
                      OriginRow{"a URL stays", "https://gate/worker-7", "https://gate/worker-7"},
                      OriginRow{"another scheme is refused", "ftp://worker-7", ""},
                      OriginRow{"nothing is refused", "", ""}));

TEST(FetchNodeRoutes, AnAddressWhereNobodyListensIsNamed) {
  const auto routes =
      fetch_node_routes({.origin = "http://127.0.0.1:1", .ns = "shop", .service = "cart"});
  ASSERT_FALSE(routes);
  EXPECT_NE(routes.error().message.find("http://127.0.0.1:1"), std::string::npos)
      << routes.error().message;
}

}  // namespace
}  // namespace proxima::cli
