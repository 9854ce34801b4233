// SPDX-License-Identifier: Apache-2.0
// The addresses that this host's interfaces have.
#pragma once

#include <vector>

#include "base/ip_address.h"
#include "base/result.h"

namespace proxima::proxy {

// Of both families, loopback included, in ascending order and each once.
Result<std::vector<IpAddress>> fetch_local_addresses();

}  // namespace proxima::proxy
