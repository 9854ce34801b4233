// SPDX-License-Identifier: Apache-2.0
// The addresses of one network that Services may have.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>

#include "apiserver/rules/ip_rules.h"
#include "apiserver/rules/number_pool.h"

namespace proxima::apiserver::rules {

class AddressPool {
 public:
  // `network` has at least two addresses.
  explicit AddressPool(const IpNetwork& network);

  IpFamily family() const { return network_.base.family(); }
  std::string network_text() const { return network_.text(); }
  // nullopt: outside of what can be given away.
  std::optional<std::uint64_t> number_of(const IpAddress& address) const;
  IpAddress address_of(std::uint64_t number) const;

  NumberPool& numbers() { return numbers_; }
  const NumberPool& numbers() const { return numbers_; }

 private:
  IpNetwork network_;
  NumberPool numbers_;  // 0 is the network's second address
};

}  // namespace proxima::apiserver::rules
