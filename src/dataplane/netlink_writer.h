// SPDX-License-Identifier: Apache-2.0
// Writes messages for netfilter's netlink one after the other into one block of memory. Pure: what
// is written is sent by others, or read back by a test.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace proxima::dataplane {

struct NetlinkHeader {
  std::uint16_t type = 0;
  std::uint16_t flags = 0;     // NLM_F_REQUEST is added
  std::uint32_t sequence = 0;  // answers carry it
  std::uint8_t family = 0;     // NFPROTO_…
  std::uint16_t resource = 0;  // as the host has it
};

class NetlinkWriter {
 public:
  // An attribute's length has 16 bits: a nest that is longer cannot be told to a kernel.
  static constexpr std::size_t kMaxNest = 65535;

  // What is put until end_message() belongs to it.
  void begin_message(const NetlinkHeader& header);
  void end_message();

  void put(std::uint16_t type, std::string_view bytes);
  void put_text(std::uint16_t type, std::string_view text);  // with a zero at its end
  void put_u32(std::uint16_t type, std::uint32_t value);  // in network order, as netfilter has it
  void put_u64(std::uint16_t type, std::uint64_t value);

  // An attribute of attributes: what is put until close_nest() of the place that this returns.
  std::size_t open_nest(std::uint16_t type);
  void close_nest(std::size_t nest);

  std::size_t size() const { return bytes_.size(); }
  // Takes back everything behind `size`, of an attribute that did not fit.
  void cut(std::size_t size) { bytes_.resize(size); }
  // Of the message that begins at `message`.
  void add_flags(std::size_t message, std::uint16_t flags);
  void reserve(std::size_t size) { bytes_.reserve(size); }
  std::string take() { return std::move(bytes_); }

 private:
  std::string bytes_;
  std::size_t message_ = 0;  // where the one that is being written begins
};

}  // namespace proxima::dataplane
