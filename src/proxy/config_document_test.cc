// SPDX-License-Identifier: Apache-2.0
#include "proxy/config_document.h"

#include <gtest/gtest.h>

namespace proxima::proxy {
namespace {

// What is shown can be read again, and says the same.
TEST(ConfigDocument, IsAConfiguration) {
  ProxyConfig config = default_proxy_config();
  config.masquerade_all = true;
  config.sync_period = std::chrono::milliseconds(1500);
  config.cluster_cidrs = {"10.0.0.0/8", "fd00::/8"};
  config.feature_gates = {{"AllowServiceExternalIPs", false}};
  const std::string shown = render_config(config);
  const std::string begin = R"({"kubeproxy.config.k8s.io":{)";
  ASSERT_EQ(shown.substr(0, begin.size()), begin);
  const std::string inner =
      R"({"apiVersion":"kubeproxy.config.k8s.io/v1alpha1","kind":"KubeProxyConfiguration",)" +
      shown.substr(begin.size(), shown.size() - begin.size() - 2);
  const auto parsed = parse_proxy_config(inner);
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_TRUE(parsed->warnings.empty()) << parsed->warnings.front();
  EXPECT_EQ(render_config(parsed->config), shown);
}

}  // namespace
}  // namespace proxima::proxy
