// SPDX-License-Identifier: Apache-2.0
// Where node proxies send their reports, and the certificate authority by which they recognize the
// controller: a ConfigMap that the leading controller writes and proxies read. Both authenticate to
// the API server, so neither can be deceived about the other.
#pragma once

#include <string>
#include <string_view>

#include "kube/object_client.h"

namespace proxima::reports {

struct ReportAddress {
  std::string url;     // "https://10.0.0.5:10261"
  std::string ca_pem;  // that signed the server's certificate
  friend bool operator==(const ReportAddress&, const ReportAddress&) = default;
};

// InvalidInput: not NAMESPACE/NAME.
Result<kube::ObjectRef> report_config_map(std::string_view key);

// NotFound: no controller takes reports. InvalidInput names the key of the ConfigMap.
Result<ReportAddress> fetch_report_address(kube::ObjectClient& client, const kube::ObjectRef& ref,
                                           const net::Cancellation& cancellation);
// Creates the ConfigMap, or changes it where it says something else.
Status publish_report_address(kube::ObjectClient& client, const kube::ObjectRef& ref,
                              const ReportAddress& address, const net::Cancellation& cancellation);

}  // namespace proxima::reports
