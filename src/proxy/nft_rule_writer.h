// SPDX-License-Identifier: Apache-2.0
// Rules in words: each call adds the steps for one condition or one deed.
#pragma once

#include <chrono>
#include <string_view>

#include "base/ip_prefix.h"
#include "dataplane/nft_model.h"

namespace proxima::proxy {

enum class PacketEnd : std::uint8_t { Source, Destination };

class NftRuleWriter {
 public:
  explicit NftRuleWriter(IpFamily family) : family_(family) {}

  // ---- Conditions ----
  NftRuleWriter& new_connection();
  NftRuleWriter& translated();
  NftRuleWriter& in_range(PacketEnd end, const IpPrefix& range);
  NftRuleWriter& outside_range(PacketEnd end, const IpPrefix& range);
  NftRuleWriter& is_local(PacketEnd end);
  NftRuleWriter& destination_in(std::string_view set);
  // Destination, protocol, port and source.
  NftRuleWriter& service_and_source_in(std::string_view set);
  // Source, protocol, port and destination.
  NftRuleWriter& connection_in(std::string_view set);
  NftRuleWriter& interface_is(std::string_view name);
  NftRuleWriter& interface_begins(std::string_view prefix);
  NftRuleWriter& mark_has(std::uint32_t bits);
  NftRuleWriter& priority_is(std::uint32_t mask, std::uint32_t value);

  // ---- Values of the packet's priority; not met when there is none ----
  NftRuleWriter& priority_of_service(std::string_view map);
  NftRuleWriter& priority_of_node_port(std::string_view map);
  NftRuleWriter& priority_of_client(std::string_view map);
  NftRuleWriter& priority_of_slot(std::string_view map, std::uint32_t slots);
  NftRuleWriter& keep_of_priority(std::uint32_t mask);
  NftRuleWriter& clear_priority();

  // ---- Deeds ----
  NftRuleWriter& set_mark(std::uint32_t bits);
  NftRuleWriter& clear_mark(std::uint32_t bits);
  NftRuleWriter& go_by_priority(std::string_view map, std::uint32_t mask);
  // The client with the priority. Of a client that is there already, only its time begins anew.
  NftRuleWriter& learn_client(std::string_view map, std::chrono::seconds timeout);
  NftRuleWriter& forget_client(std::string_view map);
  NftRuleWriter& translate_by_slot(std::string_view map, std::uint32_t slots);
  NftRuleWriter& translate_by_priority(std::string_view map);
  NftRuleWriter& masquerade();
  NftRuleWriter& reject();
  NftRuleWriter& drop();
  NftRuleWriter& give_back();  // to where the chain was called
  NftRuleWriter& jump(std::string_view chain);
  NftRuleWriter& go(std::string_view chain);

  dataplane::NftRule rule() const { return rule_; }

 private:
  using Register = dataplane::NftRegister;

  template <class Step>
  NftRuleWriter& add(Step step) {
    rule_.steps.emplace_back(std::move(step));
    return *this;
  }
  // Registers that an address takes.
  Register address_width() const { return family_ == IpFamily::V4 ? 1 : 4; }
  // Each loads to `to` and returns the register behind it.
  Register load_address(PacketEnd end, Register to);
  Register load_service(Register to);
  Register load_node_port(Register to);
  Register load_priority(Register to);
  void load_client();
  void keep(Register of, std::uint32_t mask, std::uint32_t flip = 0);
  NftRuleWriter& range_steps(PacketEnd end, const IpPrefix& range, bool inside);
  NftRuleWriter& found_in(std::string_view set);
  void look_up(std::string_view map);
  NftRuleWriter& priority_from(std::string_view map);

  IpFamily family_;
  dataplane::NftRule rule_;
};

}  // namespace proxima::proxy
