// SPDX-License-Identifier: Apache-2.0
// nftables by netlink, in a network namespace of its own: the maps of 10,000 services with 15 slots
// each loaded in chunks, 4 slots of one service changed, and all of it read back. A change must not
// depend on how much is there.
//
//   nft_bench [REPEATS]
#include <sched.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "dataplane/nft_encode.h"
#include "dataplane/nft_socket.h"

namespace {

using namespace proxima;
using namespace proxima::dataplane;
using Clock = std::chrono::steady_clock;

constexpr std::uint32_t kSlots = 15;
constexpr std::uint32_t kServicesInAChunk = 500;
constexpr double kMostLoadSeconds = 1;
constexpr double kMostChangeMilliseconds = 0.1;

NftBytes host_number(std::uint32_t value) {
  NftBytes bytes(sizeof(value), '\0');
  std::memcpy(bytes.data(), &value, sizeof(value));
  return bytes;
}

NftBytes address(IpFamily family, std::uint8_t net, std::uint32_t number) {
  NftBytes bytes(family == IpFamily::V4 ? 0 : 12, '\0');
  bytes += static_cast<char>(net);
  for (const unsigned shift : {16U, 8U, 0U}) bytes += static_cast<char>(number >> shift & 255U);
  return bytes;
}

NftBytes port(std::uint32_t number) {
  return {static_cast<char>(number >> 8U), static_cast<char>(number & 255U), 0, 0};
}

std::uint32_t pool(std::uint32_t service) { return (service + 1) << 13U | kSlots; }

NftElement slot(IpFamily family, std::uint32_t service, std::uint32_t number,
                std::uint32_t port_number) {
  return {.key = host_number(pool(service)) + host_number(number),
          .value = address(family, 10, service * kSlots + number) + port(port_number)};
}

const std::vector<std::string> kFrontendMaps = {"from-node", "from-outside", "from-pod"};

NftTransaction empty_table(IpFamily family) {
  using enum NftType;
  NftTransaction made{.family = family, .table = "bench", .operations = {NftAddTable{}}};
  const auto add = [&](NftSet set) { made.operations.emplace_back(NftAddSet{std::move(set)}); };
  for (const std::string& name : kFrontendMaps) {
    add({.name = name,
         .key = {Address, Protocol, Port},
         .holds = NftSet::Holds::Data,
         .data = {Priority}});
  }
  add({.name = "cluster-ips", .key = {Address}});
  add({.name = "slots",
       .key = {Priority, Random},
       .holds = NftSet::Holds::Data,
       .data = {Address, Port}});
  return made;
}

NftTransaction chunk(IpFamily family, std::uint32_t first, std::uint32_t end) {
  NftAddElements slots{.set = "slots"};
  NftAddElements addresses{.set = "cluster-ips"};
  std::vector<NftElement> frontends;
  for (std::uint32_t service = first; service < end; ++service) {
    for (std::uint32_t i = 0; i < kSlots; ++i)
      slots.elements.push_back(slot(family, service, i, 8080));
    const NftBytes ip = address(family, 172, service);
    addresses.elements.push_back({.key = ip});
    frontends.push_back(
        {.key = ip + NftBytes{6, 0, 0, 0} + port(80), .value = host_number(pool(service))});
  }
  NftTransaction made{.family = family, .table = "bench"};
  made.operations.emplace_back(std::move(slots));
  made.operations.emplace_back(std::move(addresses));
  for (const std::string& name : kFrontendMaps)
    made.operations.emplace_back(NftAddElements{name, frontends});
  return made;
}

// Four slots of one service get another port.
NftTransaction change(IpFamily family, std::uint32_t service, std::uint32_t turn) {
  NftDeleteElements before{.set = "slots"};
  NftAddElements after{.set = "slots"};
  for (std::uint32_t i = 0; i < 4; ++i) {
    before.elements.push_back(slot(family, service, i, 0));
    after.elements.push_back(slot(family, service, i, 9000 + turn % 100));
  }
  return {.family = family, .table = "bench", .operations = {std::move(before), std::move(after)}};
}

double milliseconds(Clock::time_point since) {
  return std::chrono::duration<double, std::milli>(Clock::now() - since).count();
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

[[noreturn]] void give_up(const std::string& why) {
  std::printf("nft_bench: %s\n", why.c_str());
  std::exit(2);
}

void send(NftSocket& socket, const NftTransaction& transaction) {
  const Status sent = socket.send(transaction);
  if (!sent) give_up(sent.error().message);
}

struct Figures {
  double load_milliseconds = 0;
  double encode_milliseconds = 0;  // of the same transactions, beside it
  double change_milliseconds = 0;
  double read_milliseconds = 0;
};

void load(NftSocket& socket, IpFamily family, std::uint32_t services, Figures& figures) {
  for (std::uint32_t first = 0; first < services; first += kServicesInAChunk) {
    const NftTransaction part = chunk(family, first, std::min(services, first + kServicesInAChunk));
    const auto before = Clock::now();
    send(socket, part);
    figures.load_milliseconds += milliseconds(before);
    const auto again = Clock::now();
    static_cast<void>(encode_transaction(part));
    figures.encode_milliseconds += milliseconds(again);
  }
}

Figures measure(NftSocket& socket, IpFamily family, std::uint32_t services, std::uint32_t repeats) {
  Figures figures;
  send(socket, empty_table(family));
  load(socket, family, services, figures);
  std::vector<double> changes;
  for (std::uint32_t turn = 1; turn <= repeats * 20; ++turn) {
    const NftTransaction moved = change(family, turn * 7919 % services, turn);
    const auto before = Clock::now();
    send(socket, moved);
    changes.push_back(milliseconds(before));
  }
  figures.change_milliseconds = median(std::move(changes));
  const auto before = Clock::now();
  const auto content = socket.read_table(family, "bench");
  figures.read_milliseconds = milliseconds(before);
  if (!content) give_up(content.error().message);
  send(socket, {.family = family, .table = "bench", .operations = {NftDeleteTable{}}});
  return figures;
}

}  // namespace

int main(int argc, char** argv) {
  const auto repeats = static_cast<std::uint32_t>(argc > 1 ? std::max(1, std::atoi(argv[1])) : 15);
  if (unshare(CLONE_NEWNET) != 0) give_up("needs the right to make a network namespace");
  Result<NftSocket> socket = NftSocket::open();
  if (!socket) give_up(socket.error().message);
  bool met = true;
  std::printf("%-6s %8s %10s %12s %14s %10s\n", "family", "services", "load ms", "encoding ms",
              "4 slots ms", "read ms");
  for (const IpFamily family : {IpFamily::V4, IpFamily::V6}) {
    for (const std::uint32_t services : {100U, 1000U, 10000U}) {
      const Figures figures = measure(*socket, family, services, repeats);
      std::printf("%-6s %8u %10.1f %12.1f %14.3f %10.1f\n", family == IpFamily::V4 ? "ip" : "ip6",
                  services, figures.load_milliseconds, figures.encode_milliseconds,
                  figures.change_milliseconds, figures.read_milliseconds);
      met = met && figures.load_milliseconds <= kMostLoadSeconds * 1000 &&
            figures.change_milliseconds <= kMostChangeMilliseconds;
    }
  }
  std::printf("bars: load in %.0f s, a change in %.1f ms: %s\n", kMostLoadSeconds,
              kMostChangeMilliseconds, met ? "met" : "missed");
  return met ? 0 : 1;
}
