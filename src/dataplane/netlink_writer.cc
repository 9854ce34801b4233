// SPDX-License-Identifier: Apache-2.0
#include "dataplane/netlink_writer.h"

#include <linux/netfilter/nfnetlink.h>
#include <linux/netlink.h>

#include <array>
#include <bit>
#include <cstring>

#include "base/check.h"

namespace proxima::dataplane {
namespace {

constexpr std::size_t kAlignment = 4;

std::size_t padding_of(std::size_t size) { return (kAlignment - size % kAlignment) % kAlignment; }

template <class T>
std::string_view bytes_of(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof(value)};  // NOLINT: the wire is bytes
}

// Big end first, whatever the host does.
template <class T>
auto network_bytes(T value) {
  std::array<char, sizeof(T)> bytes{};
  for (std::size_t i = 0; i < sizeof(T); ++i) {
    bytes[i] = static_cast<char>(value >> (8 * (sizeof(T) - 1 - i)) & 0xff);
  }
  return bytes;
}

std::uint16_t network_order(std::uint16_t value) {
  return std::bit_cast<std::uint16_t>(network_bytes(value));
}

}  // namespace

void NetlinkWriter::begin_message(const NetlinkHeader& header) {
  message_ = bytes_.size();
  const nlmsghdr message{
      .nlmsg_len = 0,
      .nlmsg_type = header.type,
      .nlmsg_flags = static_cast<std::uint16_t>(header.flags | NLM_F_REQUEST),
      .nlmsg_seq = header.sequence,
      .nlmsg_pid = 0,
  };
  const nfgenmsg netfilter{.nfgen_family = header.family,
                           .version = NFNETLINK_V0,
                           .res_id = network_order(header.resource)};
  bytes_.append(bytes_of(message)).append(bytes_of(netfilter));
}

void NetlinkWriter::end_message() {
  const auto length = static_cast<std::uint32_t>(bytes_.size() - message_);
  std::memcpy(bytes_.data() + message_, &length, sizeof(length));
}

void NetlinkWriter::put(std::uint16_t type, std::string_view bytes) {
  PROXIMA_CHECK(bytes.size() + sizeof(nlattr) <= kMaxNest);
  const nlattr attribute{.nla_len = static_cast<std::uint16_t>(sizeof(nlattr) + bytes.size()),
                         .nla_type = type};
  bytes_.append(bytes_of(attribute)).append(bytes);
  bytes_.append(padding_of(bytes.size()), '\0');
}

void NetlinkWriter::put_text(std::uint16_t type, std::string_view text) {
  const nlattr attribute{.nla_len = static_cast<std::uint16_t>(sizeof(nlattr) + text.size() + 1),
                         .nla_type = type};
  PROXIMA_CHECK(text.size() + 1 + sizeof(nlattr) <= kMaxNest);
  bytes_.append(bytes_of(attribute)).append(text);
  bytes_.append(1 + padding_of(text.size() + 1), '\0');
}

void NetlinkWriter::put_u32(std::uint16_t type, std::uint32_t value) {
  const auto bytes = network_bytes(value);
  put(type, {bytes.data(), bytes.size()});
}

void NetlinkWriter::put_u64(std::uint16_t type, std::uint64_t value) {
  const auto bytes = network_bytes(value);
  put(type, {bytes.data(), bytes.size()});
}

std::size_t NetlinkWriter::open_nest(std::uint16_t type) {
  const std::size_t nest = bytes_.size();
  put(static_cast<std::uint16_t>(type | NLA_F_NESTED), {});
  return nest;
}

void NetlinkWriter::close_nest(std::size_t nest) {
  PROXIMA_CHECK(bytes_.size() - nest <= kMaxNest);
  const auto length = static_cast<std::uint16_t>(bytes_.size() - nest);
  std::memcpy(bytes_.data() + nest, &length, sizeof(length));
}

void NetlinkWriter::add_flags(std::size_t message, std::uint16_t flags) {
  char* place = bytes_.data() + message + offsetof(nlmsghdr, nlmsg_flags);
  std::uint16_t all = 0;
  std::memcpy(&all, place, sizeof(all));
  all = static_cast<std::uint16_t>(all | flags);
  std::memcpy(place, &all, sizeof(all));
}

}  // namespace proxima::dataplane
