// SPDX-License-Identifier: Apache-2.0
// Messages of the kernel's connection tracking (ctnetlink) to and from values. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "dataplane/conntrack_entry.h"
#include "dataplane/netlink_reader.h"

namespace proxima::dataplane {

// Which connections a list is about. Old kernels know only the family and send more than that: who
// asks with more looks again with matches().
struct ConntrackQuery {
  std::optional<IpFamily> family;        // none: both
  std::optional<std::uint8_t> protocol;  // none: all that have ports
  std::uint32_t status = 0;              // bits that must be set
};
bool matches(const ConntrackQuery& query, const ConntrackEntry& entry);

// One netlink message. The kernel numbers its answers like the question.
std::string encode_conntrack_list(const ConntrackQuery& query, std::uint32_t sequence);
// Asks for an acknowledgement. Deletes that connection and no later one with the same ports.
std::string encode_conntrack_delete(const ConntrackEntry& entry, std::uint32_t sequence);

// None: the message is about something else, the connection has no ports, or it is damaged.
std::optional<ConntrackEntry> decode_conntrack(const NetlinkMessage& message);

}  // namespace proxima::dataplane
