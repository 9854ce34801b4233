// SPDX-License-Identifier: Apache-2.0
// What every cluster has from the start: its namespaces, the Service of the API itself and the
// range of Service addresses.
#pragma once

#include <string>
#include <vector>

#include "apiserver/object_registry.h"
#include "base/result.h"

namespace proxima::apiserver {

struct FirstObjects {
  std::vector<std::string> service_cidrs;
  std::string address;     // of the server
  std::uint16_t port = 0;  // of the server
};

// Those that are missing are made; the others stay as they are.
Status make_first_objects(ObjectRegistry& registry, const FirstObjects& wanted, const Clock& clock);

// "10.96.0.1" of "10.96.0.0/16"; "" when it is no range.
std::string first_address(const std::string& cidr);

}  // namespace proxima::apiserver
