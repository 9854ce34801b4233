// SPDX-License-Identifier: Apache-2.0
#include "dataplane/netlink_reader.h"

#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>

#include <algorithm>
#include <cstring>

namespace proxima::dataplane {
namespace {

// Attributes and messages begin at multiples of four; the last one may lack what fills it up.
void drop_front(std::string_view& bytes, std::size_t length) {
  bytes.remove_prefix(std::min(bytes.size(), (length + 3) / 4 * 4));
}

template <class T>
std::optional<T> find_number(std::string_view attributes, std::uint16_t type) {
  const auto bytes = find_bytes(attributes, type);
  if (!bytes || bytes->size() != sizeof(T)) return std::nullopt;
  T value = 0;
  for (const char byte : *bytes) {
    value = static_cast<T>(value << 8 | static_cast<unsigned char>(byte));
  }
  return value;
}

}  // namespace

std::optional<NetlinkMessage> next_message(std::string_view& bytes) {
  nlmsghdr header{};
  if (bytes.size() < sizeof(header)) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.nlmsg_len < sizeof(header) || header.nlmsg_len > bytes.size()) return std::nullopt;
  const NetlinkMessage message{
      .type = header.nlmsg_type,
      .flags = header.nlmsg_flags,
      .sequence = header.nlmsg_seq,
      .payload = bytes.substr(sizeof(header), header.nlmsg_len - sizeof(header)),
  };
  drop_front(bytes, header.nlmsg_len);
  return message;
}

std::optional<NetlinkAttribute> next_attribute(std::string_view& bytes) {
  nlattr header{};
  if (bytes.size() < sizeof(header)) return std::nullopt;
  std::memcpy(&header, bytes.data(), sizeof(header));
  if (header.nla_len < sizeof(header) || header.nla_len > bytes.size()) return std::nullopt;
  const NetlinkAttribute attribute{
      .type = static_cast<std::uint16_t>(header.nla_type & NLA_TYPE_MASK),
      .bytes = bytes.substr(sizeof(header), header.nla_len - sizeof(header)),
  };
  drop_front(bytes, header.nla_len);
  return attribute;
}

std::string_view attributes_of(const NetlinkMessage& message) {
  if (message.payload.size() < sizeof(nfgenmsg)) return {};
  return message.payload.substr(sizeof(nfgenmsg));
}

std::optional<std::string_view> find_bytes(std::string_view attributes, std::uint16_t type) {
  while (const auto attribute = next_attribute(attributes)) {
    if (attribute->type == type) return attribute->bytes;
  }
  return std::nullopt;
}

std::string_view find_text(std::string_view attributes, std::uint16_t type) {
  const std::string_view bytes = find_bytes(attributes, type).value_or(std::string_view());
  return bytes.substr(0, bytes.find('\0'));
}

std::optional<std::uint32_t> find_u32(std::string_view attributes, std::uint16_t type) {
  return find_number<std::uint32_t>(attributes, type);
}

std::optional<std::uint64_t> find_u64(std::string_view attributes, std::uint16_t type) {
  return find_number<std::uint64_t>(attributes, type);
}

}  // namespace proxima::dataplane
