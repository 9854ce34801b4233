// SPDX-License-Identifier: Apache-2.0
// Reads what came by netfilter's netlink. Nothing is believed: a length that does not fit ends the
// reading, and no byte outside of what was given is ever looked at.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace proxima::dataplane {

struct NetlinkMessage {
  std::uint16_t type = 0;
  std::uint16_t flags = 0;
  std::uint32_t sequence = 0;
  std::string_view payload;  // behind the header that all messages have
};

struct NetlinkAttribute {
  std::uint16_t type = 0;  // without the bits for nests and byte order
  std::string_view bytes;
};

// Take the next one off the front of `bytes`. Nothing at the end, and where the rest makes no
// sense.
std::optional<NetlinkMessage> next_message(std::string_view& bytes);
std::optional<NetlinkAttribute> next_attribute(std::string_view& bytes);

// Of a message of netfilter, behind the header that all of those have; empty when it is too short.
std::string_view attributes_of(const NetlinkMessage& message);

// Of the first attribute of that type, if there is one and it is what it should be.
std::optional<std::string_view> find_bytes(std::string_view attributes, std::uint16_t type);
std::string_view find_text(std::string_view attributes, std::uint16_t type);
std::optional<std::uint32_t> find_u32(std::string_view attributes, std::uint16_t type);
std::optional<std::uint64_t> find_u64(std::string_view attributes, std::uint16_t type);

}  // namespace proxima::dataplane
