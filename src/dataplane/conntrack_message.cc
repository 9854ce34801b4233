// SPDX-License-Identifier: Apache-2.0
#include "dataplane/conntrack_message.h"

#include <array>
#include <cstring>
#include <string_view>

#include <arpa/inet.h>
#include <libmnl/libmnl.h>
#include <linux/netfilter/nf_conntrack_common.h>
#include <linux/netfilter/nfnetlink.h>
#include <linux/netfilter/nfnetlink_conntrack.h>
#include <sys/socket.h>

namespace proxima::dataplane {
namespace {

static_assert(kConntrackSeenReply == IPS_SEEN_REPLY);
static_assert(kConntrackDestinationNat == IPS_DST_NAT);
static_assert(kConntrackDying == IPS_DYING);

// Of CTA_FILTER_ORIG_FLAGS; the kernel's headers for programs do not name its bits.
constexpr std::uint32_t kFilterByProtocol = 1U << 3;

// More than any request of ours needs.
constexpr std::size_t kRequestBytes = 512;

class Request {
 public:
  Request(std::uint16_t type, std::uint16_t flags, std::optional<IpFamily> family,
          std::uint32_t sequence)
      : header_(mnl_nlmsg_put_header(buffer_.data())) {
    header_->nlmsg_type = static_cast<std::uint16_t>(NFNL_SUBSYS_CTNETLINK << 8 | type);
    header_->nlmsg_flags = static_cast<std::uint16_t>(NLM_F_REQUEST | flags);
    header_->nlmsg_seq = sequence;
    auto* general = static_cast<nfgenmsg*>(mnl_nlmsg_put_extra_header(header_, sizeof(nfgenmsg)));
    general->nfgen_family = AF_UNSPEC;
    if (family) general->nfgen_family = *family == IpFamily::V4 ? AF_INET : AF_INET6;
    general->version = NFNETLINK_V0;
  }
  nlmsghdr* header() { return header_; }
  std::string bytes() const { return {buffer_.data(), header_->nlmsg_len}; }

 private:
  alignas(nlmsghdr) std::array<char, kRequestBytes> buffer_{};
  nlmsghdr* header_;
};

void put_address(nlmsghdr* message, const IpAddress& address, std::uint16_t v4, std::uint16_t v6) {
  const bool is_v4 = address.family() == IpFamily::V4;
  mnl_attr_put(message, is_v4 ? v4 : v6, is_v4 ? 4 : 16, address.bytes().data());
}

void put_tuple(nlmsghdr* message, std::uint16_t type, const ConntrackTuple& tuple) {
  nlattr* nest = mnl_attr_nest_start(message, type);
  nlattr* addresses = mnl_attr_nest_start(message, CTA_TUPLE_IP);
  put_address(message, tuple.source.address, CTA_IP_V4_SRC, CTA_IP_V6_SRC);
  put_address(message, tuple.destination.address, CTA_IP_V4_DST, CTA_IP_V6_DST);
  mnl_attr_nest_end(message, addresses);
  nlattr* ports = mnl_attr_nest_start(message, CTA_TUPLE_PROTO);
  mnl_attr_put_u8(message, CTA_PROTO_NUM, tuple.protocol);
  mnl_attr_put_u16(message, CTA_PROTO_SRC_PORT, htons(tuple.source.port));
  mnl_attr_put_u16(message, CTA_PROTO_DST_PORT, htons(tuple.destination.port));
  mnl_attr_nest_end(message, ports);
  mnl_attr_nest_end(message, nest);
}

void put_protocol_filter(nlmsghdr* message, std::uint8_t protocol) {
  nlattr* tuple = mnl_attr_nest_start(message, CTA_TUPLE_ORIG);
  nlattr* parts = mnl_attr_nest_start(message, CTA_TUPLE_PROTO);
  mnl_attr_put_u8(message, CTA_PROTO_NUM, protocol);
  mnl_attr_nest_end(message, parts);
  mnl_attr_nest_end(message, tuple);
  nlattr* filter = mnl_attr_nest_start(message, CTA_FILTER);
  mnl_attr_put_u32(message, CTA_FILTER_ORIG_FLAGS, kFilterByProtocol);
  mnl_attr_nest_end(message, filter);
}

// Calls `take(type, bytes)` for every attribute in `bytes`; false when they are damaged.
template <class Take>
bool each_attribute(std::string_view bytes, const Take& take) {
  while (const auto attribute = next_attribute(bytes)) take(attribute->type, attribute->bytes);
  return bytes.empty();
}

// In network order; 0 when the width is another.
std::uint64_t number(std::string_view bytes, std::size_t width) {
  if (bytes.size() != width) return 0;
  std::uint64_t value = 0;
  for (const char byte : bytes) value = value << 8 | static_cast<std::uint8_t>(byte);
  return value;
}
std::uint16_t number16(std::string_view bytes) {
  return static_cast<std::uint16_t>(number(bytes, 2));
}
std::uint32_t number32(std::string_view bytes) {
  return static_cast<std::uint32_t>(number(bytes, 4));
}

std::optional<IpAddress> address_of(IpFamily family, std::string_view bytes) {
  if (bytes.size() != (family == IpFamily::V4 ? 4U : 16U)) return std::nullopt;
  std::array<std::uint8_t, 16> raw{};
  std::memcpy(raw.data(), bytes.data(), bytes.size());
  return IpAddress::from_bytes(family, raw);
}

struct TupleParts {
  std::optional<IpAddress> source;
  std::optional<IpAddress> destination;
  std::optional<std::uint16_t> source_port;
  std::optional<std::uint16_t> destination_port;
  std::uint8_t protocol = 0;
};

void read_address(TupleParts& parts, int type, std::string_view bytes) {
  if (type == CTA_IP_V4_SRC) parts.source = address_of(IpFamily::V4, bytes);
  if (type == CTA_IP_V6_SRC) parts.source = address_of(IpFamily::V6, bytes);
  if (type == CTA_IP_V4_DST) parts.destination = address_of(IpFamily::V4, bytes);
  if (type == CTA_IP_V6_DST) parts.destination = address_of(IpFamily::V6, bytes);
}

void read_protocol(TupleParts& parts, int type, std::string_view bytes) {
  if (type == CTA_PROTO_NUM) parts.protocol = static_cast<std::uint8_t>(number(bytes, 1));
  if (type == CTA_PROTO_SRC_PORT) parts.source_port = number16(bytes);
  if (type == CTA_PROTO_DST_PORT) parts.destination_port = number16(bytes);
}

std::optional<ConntrackTuple> read_tuple(std::string_view bytes) {
  TupleParts parts;
  const bool whole = each_attribute(bytes, [&](int type, std::string_view inner) {
    if (type == CTA_TUPLE_IP) {
      each_attribute(inner, [&](int t, std::string_view b) { read_address(parts, t, b); });
    } else if (type == CTA_TUPLE_PROTO) {
      each_attribute(inner, [&](int t, std::string_view b) { read_protocol(parts, t, b); });
    }
  });
  if (!whole || !parts.source || !parts.destination) return std::nullopt;
  if (!parts.source_port || !parts.destination_port) return std::nullopt;
  return ConntrackTuple{.protocol = parts.protocol,
                        .source = {*parts.source, *parts.source_port},
                        .destination = {*parts.destination, *parts.destination_port}};
}

ConntrackCounters read_counters(std::string_view bytes) {
  ConntrackCounters counters;
  each_attribute(bytes, [&](int type, std::string_view value) {
    if (type == CTA_COUNTERS_PACKETS) counters.packets = number(value, 8);
    if (type == CTA_COUNTERS_BYTES) counters.bytes = number(value, 8);
  });
  return counters;
}

struct EntryParts {
  ConntrackEntry entry;
  bool has_original = false;
  bool has_reply = false;
};

void read_part(EntryParts& parts, int type, std::string_view bytes) {
  ConntrackEntry& entry = parts.entry;
  const auto tuple = [&](ConntrackTuple& into) {
    const std::optional<ConntrackTuple> read = read_tuple(bytes);
    if (read) into = *read;
    return read.has_value();
  };
  switch (type) {
    case CTA_TUPLE_ORIG:
      parts.has_original = tuple(entry.original);
      break;
    case CTA_TUPLE_REPLY:
      parts.has_reply = tuple(entry.reply);
      break;
    case CTA_STATUS:
      entry.status = number32(bytes);
      break;
    case CTA_MARK:
      entry.mark = number32(bytes);
      break;
    case CTA_ID:
      entry.id = number32(bytes);
      break;
    case CTA_ZONE:
      entry.zone = number16(bytes);
      break;
    case CTA_COUNTERS_ORIG:
      entry.sent = read_counters(bytes);
      break;
    case CTA_COUNTERS_REPLY:
      entry.answered = read_counters(bytes);
      break;
    default:
      break;
  }
}

}  // namespace

bool matches(const ConntrackQuery& query, const ConntrackEntry& entry) {
  return (!query.family || *query.family == entry.original.source.address.family()) &&
         (!query.protocol || *query.protocol == entry.original.protocol) &&
         (entry.status & query.status) == query.status;
}

std::string encode_conntrack_list(const ConntrackQuery& query, std::uint32_t sequence) {
  Request request(IPCTNL_MSG_CT_GET, NLM_F_DUMP, query.family, sequence);
  // The kernel refuses to filter by protocol in both families at once.
  if (query.family && query.protocol) put_protocol_filter(request.header(), *query.protocol);
  if (query.status != 0) {
    mnl_attr_put_u32(request.header(), CTA_STATUS, htonl(query.status));
    mnl_attr_put_u32(request.header(), CTA_STATUS_MASK, htonl(query.status));
  }
  return request.bytes();
}

std::string encode_conntrack_delete(const ConntrackEntry& entry, std::uint32_t sequence) {
  Request request(IPCTNL_MSG_CT_DELETE, NLM_F_ACK, entry.original.source.address.family(),
                  sequence);
  put_tuple(request.header(), CTA_TUPLE_ORIG, entry.original);
  if (entry.zone != 0) mnl_attr_put_u16(request.header(), CTA_ZONE, htons(entry.zone));
  mnl_attr_put_u32(request.header(), CTA_ID, htonl(entry.id));
  return request.bytes();
}

std::optional<ConntrackEntry> decode_conntrack(const NetlinkMessage& message) {
  if (message.type >> 8 != NFNL_SUBSYS_CTNETLINK) return std::nullopt;
  EntryParts parts;
  const bool whole = each_attribute(attributes_of(message), [&](int type, std::string_view bytes) {
    read_part(parts, type, bytes);
  });
  if (!whole || !parts.has_original || !parts.has_reply) return std::nullopt;
  return parts.entry;
}

}  // namespace proxima::dataplane
