// SPDX-License-Identifier: Apache-2.0
// nftables as values: what a table holds and how a transaction changes it. The same values are sent
// to a kernel and run by a tracer, so that a test of the one says something about the other.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/ip_address.h"

namespace proxima::dataplane {

// As they stand in a register: addresses and ports in network order, everything else as the host
// has it, each part of a key that has several filled up to a multiple of four bytes.
using NftBytes = std::string;

// A register is four bytes; wider values take those that follow. 0 to 15.
using NftRegister = std::uint8_t;

struct NftVerdict {
  enum class Kind : std::uint8_t { Accept, Drop, Return, Jump, Goto };
  Kind kind = Kind::Accept;
  std::string chain;  // of Jump and Goto
  friend bool operator==(const NftVerdict&, const NftVerdict&) = default;
};

// ---- What a rule does, one after the other until one does not match ----

enum class NftMetaKey : std::uint8_t { Protocol, Mark, Priority, InputName };
enum class NftCtKey : std::uint8_t { State, Status };
enum class NftHeader : std::uint8_t { Network, Transport };

struct NftLoadPayload {
  NftHeader header = NftHeader::Network;
  std::uint32_t offset = 0;
  std::uint32_t length = 0;
  NftRegister to = 0;
  friend bool operator==(const NftLoadPayload&, const NftLoadPayload&) = default;
};
struct NftLoadMeta {
  NftMetaKey key = NftMetaKey::Protocol;
  NftRegister to = 0;
  friend bool operator==(const NftLoadMeta&, const NftLoadMeta&) = default;
};
struct NftSetMeta {
  NftMetaKey key = NftMetaKey::Mark;
  NftRegister from = 0;
  friend bool operator==(const NftSetMeta&, const NftSetMeta&) = default;
};
struct NftLoadCt {
  NftCtKey key = NftCtKey::State;
  NftRegister to = 0;
  friend bool operator==(const NftLoadCt&, const NftLoadCt&) = default;
};
// What kind of address the packet's source or destination is (RTN_LOCAL and so on).
struct NftLoadAddressType {
  enum class Of : std::uint8_t { Source, Destination };
  Of of = Of::Source;
  NftRegister to = 0;
  friend bool operator==(const NftLoadAddressType&, const NftLoadAddressType&) = default;
};
struct NftLoadConstant {
  NftRegister to = 0;
  NftBytes value;
  friend bool operator==(const NftLoadConstant&, const NftLoadConstant&) = default;
};
// to = (from & mask) ^ flip.
struct NftBitwise {
  NftRegister from = 0;
  NftRegister to = 0;
  NftBytes mask;
  NftBytes flip;
  friend bool operator==(const NftBitwise&, const NftBitwise&) = default;
};
struct NftCompare {
  NftRegister from = 0;
  bool equal = true;  // false: matches what differs
  NftBytes value;
  friend bool operator==(const NftCompare&, const NftCompare&) = default;
};
// Matches when the key is in the set. Of a map: the data goes to a register, or is the verdict.
struct NftLookup {
  std::string set;
  NftRegister key = 0;
  std::optional<NftRegister> to;  // of a map of data
  bool inverted = false;          // of a set
  bool verdict = false;           // of a map of verdicts: what it says is done
  friend bool operator==(const NftLookup&, const NftLookup&) = default;
};
// A random number from 0 to below `below`, as the host has it.
struct NftRandom {
  std::uint32_t below = 1;
  NftRegister to = 0;
  friend bool operator==(const NftRandom&, const NftRandom&) = default;
};
// Update: the element is added, or its time begins anew while its data stays as it is.
struct NftLearn {
  enum class Kind : std::uint8_t { Update, Delete };
  Kind kind = Kind::Update;
  std::string set;
  NftRegister key = 0;
  NftRegister data = 0;
  std::chrono::milliseconds timeout{};
  friend bool operator==(const NftLearn&, const NftLearn&) = default;
};
struct NftDestinationNat {
  NftRegister address = 0;
  NftRegister port = 0;
  friend bool operator==(const NftDestinationNat&, const NftDestinationNat&) = default;
};
struct NftMasquerade {  // to a random port
  friend bool operator==(const NftMasquerade&, const NftMasquerade&) = default;
};
struct NftReject {  // port unreachable, by ICMP of the family
  friend bool operator==(const NftReject&, const NftReject&) = default;
};
// What these values have no words for: read from a kernel where a stranger put it, never sent.
// Equals nothing, so that it counts as a difference wherever it is compared.
struct NftUnknown {
  std::string name;
  friend bool operator==(const NftUnknown&, const NftUnknown&) { return false; }
};

using NftExpression =
    std::variant<NftLoadPayload, NftLoadMeta, NftSetMeta, NftLoadCt, NftLoadAddressType,
                 NftLoadConstant, NftBitwise, NftCompare, NftLookup, NftRandom, NftLearn,
                 NftDestinationNat, NftMasquerade, NftReject, NftVerdict, NftUnknown>;

struct NftRule {
  std::vector<NftExpression> steps;
  std::string comment;
  friend bool operator==(const NftRule&, const NftRule&) = default;
};

// ---- Chains ----

struct NftHook {
  enum class Type : std::uint8_t { Filter, Nat };
  enum class Where : std::uint8_t { Prerouting, Input, Forward, Output, Postrouting };
  Type type = Type::Filter;
  Where where = Where::Prerouting;
  std::int32_t priority = 0;
  friend bool operator==(const NftHook&, const NftHook&) = default;
};

struct NftChain {
  std::string name;
  std::optional<NftHook> hook;  // of a base chain; its policy is to accept
  std::vector<NftRule> rules;
  friend bool operator==(const NftChain&, const NftChain&) = default;
};

// ---- Sets and maps ----

// What a part of a key or of data is: decides its width, and how `nft list` shows it.
enum class NftType : std::uint8_t {
  Address,   // of the table's family: 4 or 16 bytes
  Protocol,  // 1 byte
  Port,      // 2 bytes
  Priority,  // 4 bytes, shown as a class "1:2"
  Random,    // 4 bytes, the number of a slot
};

// In registers, filled up. Of a key or data with all its parts.
std::size_t nft_width(NftType type, IpFamily family);
std::size_t nft_width(const std::vector<NftType>& parts, IpFamily family);

// The size limit that a kernel gives a set that learns when it is told none. Such a set needs
// memory for what it has learned; with any other limit, a kernel allocates the hash table of a full
// set at once, 1 MiB for 65,536 elements.
inline constexpr std::uint32_t kNftGrowingLimit = 65'535;

struct NftSet {
  enum class Holds : std::uint8_t { Keys, Data, Verdicts };
  std::string name;
  std::vector<NftType> key;
  Holds holds = Holds::Keys;
  std::vector<NftType> data;     // when it holds Data
  bool intervals = false;        // elements may have a key_end
  bool learns = false;           // rules add elements, which time out
  std::uint32_t size_limit = 0;  // of a set that learns
  friend bool operator==(const NftSet&, const NftSet&) = default;
};

struct NftElement {
  NftBytes key;
  std::optional<NftBytes> key_end;  // inclusive
  std::variant<std::monostate, NftBytes, NftVerdict> value;
  friend bool operator==(const NftElement&, const NftElement&) = default;
};

// ---- Changes ----

struct NftAddTable {};     // no error when it is there; a table put to sleep wakes
struct NftDeleteTable {};  // with all that is in it
struct NftAddChain {       // without its rules; no error when it is there
  std::string name;
  std::optional<NftHook> hook;
};
struct NftFlushChain {
  std::string name;
};
struct NftDeleteChain {  // empty, and nothing points to it
  std::string name;
};
struct NftAddRule {  // at the end
  std::string chain;
  NftRule rule;
};
struct NftDeleteRule {  // in tables of others: in ours, chains are filled anew
  std::string chain;
  std::uint64_t handle = 0;  // as the kernel told it
};
struct NftAddSet {
  NftSet set;
};
struct NftDeleteSet {
  std::string name;
};
struct NftFlushSet {
  std::string name;
};
// Of one set. An error when one of them is there with another value.
struct NftAddElements {
  std::string set;
  std::vector<NftElement> elements;
};
// An error when one of them is not there.
struct NftDeleteElements {
  std::string set;
  std::vector<NftElement> elements;
};

using NftOperation = std::variant<NftAddTable, NftDeleteTable, NftAddChain, NftFlushChain,
                                  NftDeleteChain, NftAddRule, NftDeleteRule, NftAddSet,
                                  NftDeleteSet, NftFlushSet, NftAddElements, NftDeleteElements>;

// Of one table, all or nothing.
struct NftTransaction {
  IpFamily family = IpFamily::V4;
  std::string table;
  std::vector<NftOperation> operations;  // in this order
  bool empty() const { return operations.empty(); }
};

}  // namespace proxima::dataplane
