// SPDX-License-Identifier: Apache-2.0
// Whatever a proxy's configuration says, it is refused or read; what is read can be validated, and
// rules follow from it.
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "base/duration_text.h"
#include "proxy/proxy_config.h"
#include "proxy/routing_rules.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace proxima;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto parsed = proxy::parse_proxy_config(text);
  if (!parsed) {
    PROXIMA_CHECK(!parsed.error().message.empty());
    return 0;
  }
  const proxy::ProxyConfig& config = parsed->config;
  const auto faults = proxy::validate(config);
  for (const IpFamily family : {IpFamily::V4, IpFamily::V6}) {
    const auto rules = proxy::routing_rules(config, family, {});
    PROXIMA_CHECK(rules.family == family);
  }
  if (faults.empty()) PROXIMA_CHECK(config.sync_period > std::chrono::nanoseconds(0));
  const auto again = parse_duration(duration_text(config.config_sync_period));
  PROXIMA_CHECK(again.has_value() && *again == config.config_sync_period);
  return 0;
}
