// SPDX-License-Identifier: Apache-2.0
// Runs the rules of a table on the first packet of a connection, as a kernel would, and tells all
// that can become of it and how likely that is.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "dataplane/nft_table.h"

namespace proxima::dataplane {

// Of a new connection.
struct NftPacket {
  IpAddress source;
  IpAddress destination;
  std::uint8_t protocol = 6;  // as in the header
  std::uint16_t source_port = 40000;
  std::uint16_t port = 0;
  std::string input_interface = {};  // "" when the host sends it
  std::uint32_t mark = 0;
  std::uint32_t priority = 0;
  // Sent by the host itself: it meets the hook `output` where others meet `prerouting`.
  bool sent_here = false;
  // All addresses of the host.
  std::span<const IpAddress> local_addresses = {};
};

// What a rule learned on the way, or forgot.
struct NftLearned {
  NftLearn::Kind kind = NftLearn::Kind::Update;
  std::string set;
  NftBytes key;
  NftBytes data;
  std::chrono::milliseconds timeout{};
  friend bool operator==(const NftLearned&, const NftLearned&) = default;
};

struct NftOutcome {
  enum class Kind : std::uint8_t { Pass, Deliver, Reject, Drop };
  Kind kind = Kind::Pass;
  // Of Deliver: where the packet goes instead of where it was addressed to.
  IpAddress address;
  std::uint16_t port = 0;
  bool masquerade = false;
  // As the packet leaves.
  std::uint32_t mark = 0;
  std::uint32_t priority = 0;
  std::vector<NftLearned> learned;  // in this order
  double probability = 1;
};

// All outcomes, those that differ in nothing but probability as one. As if the packet left the host
// in the end, so that it meets `postrouting` also where it is delivered to the host itself. An
// error when a rule does what a kernel would not let it do.
Result<std::vector<NftOutcome>> nft_trace(const NftTable& table, const NftPacket& packet);

// Keeps in `table` what was learned.
void remember(NftTable& table, const NftOutcome& outcome);

}  // namespace proxima::dataplane
