// SPDX-License-Identifier: Apache-2.0
// From a connection to the API behind it, over the network. Nothing is sent yet.
#pragma once

#include <memory>

#include "kube/http_api.h"

namespace proxima::kube {

// `environment` is what a credential plugin inherits. The clock must outlive the API. An error:
// credentials, certificates or a URL that cannot be used.
Result<std::unique_ptr<KubeApi>> connect(const Connection& connection,
                                         const Environment& environment, HttpApiOptions options,
                                         Clock& clock);

}  // namespace proxima::kube
