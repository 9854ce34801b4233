// SPDX-License-Identifier: Apache-2.0
// What counting connections costs: processor time for a thousand that end, and a look at very many
// that last, with 10,000 services on the node. From the kernel, in a network namespace of its own;
// needs root. The bar: a thousand connections in 20 ms, which is 2 % of a processor at a thousand
// a second.
//
//   flows_bench [THOUSANDS OF CONNECTIONS]
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include <arpa/inet.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "dataplane/conntrack_events.h"
#include "dataplane/conntrack_table.h"
#include "proxy/flow_accounts.h"
#include "proxy/node_routes.h"

namespace {

using namespace proxima;

constexpr std::size_t kServices = 10'000;
constexpr double kMostMilliseconds = 20;
constexpr int kPortsPerAddress = 50'000;

constexpr const char* kRules =
    "table ip t {\n chain out {\n type nat hook output priority -100; ip daddr 127.96.0.0/16 udp "
    "dport 53 dnat to 127.1.0.1:5353\n}\n}\n";

bool enter_own_network() {
  if (::unshare(CLONE_NEWNET) != 0) return false;
  const int descriptor = ::socket(AF_INET, SOCK_DGRAM, 0);
  ifreq request{};
  std::snprintf(request.ifr_name, IFNAMSIZ, "lo");
  request.ifr_flags = IFF_UP | IFF_RUNNING;
  const bool up = ::ioctl(descriptor, SIOCSIFFLAGS, &request) == 0;
  ::close(descriptor);
  FILE* nft = ::popen("nft -f -", "w");
  if (!up || nft == nullptr) return false;
  std::fputs(kRules, nft);
  if (::pclose(nft) != 0) return false;
  FILE* setting = std::fopen("/proc/sys/net/netfilter/nf_conntrack_acct", "w");
  if (setting == nullptr) return false;
  std::fputs("1", setting);
  return std::fclose(setting) == 0;
}

IpAddress service_address(std::size_t number) {
  return *IpAddress::parse("127.96." + std::to_string(number / 250) + "." +
                           std::to_string(number % 250 + 1));
}

proxy::FlowView view() {
  proxy::NodeRoutes routes({.proxy_name = "", .rules = {proxy::RoutingRules{}}});
  routes.set_node({.name = Text("here"), .zone = Text("a")});
  for (std::size_t number = 0; number < kServices; ++number) {
    const Text name("service-" + std::to_string(number));
    auto service = make_ref<kube::ServiceRecord>();
    service->meta.ns = Text("shop");
    service->meta.name = name;
    service->cluster_ips = {service_address(number)};
    service->ip_families = {IpFamily::V4};
    service->ports.push_back({.name = Text("dns"), .protocol = kube::Protocol::Udp, .port = 53});
    routes.change_service({}, service);
    auto slice = make_ref<kube::EndpointSliceRecord>();
    slice->meta.ns = Text("shop");
    slice->meta.name = name;
    slice->service = name;
    slice->ports.push_back(
        {.name = Text("dns"), .protocol = Text("UDP"), .port = 5'353, .app_protocol = {}});
    kube::EndpointRecord& endpoint = slice->endpoints.emplace_back();
    endpoint.addresses.emplace_back("127.1.0.1");
    endpoint.zone = Text("b");
    routes.change_slice({}, slice);
  }
  routes.update();
  return {.tables = {*routes.table(IpFamily::V4)}, .node_zone = Text("a")};
}

bool make_flows(std::size_t count) {
  sockaddr_in to{};
  to.sin_family = AF_INET;
  to.sin_port = htons(53);
  for (std::size_t made = 0; made < count; ++made) {
    const int descriptor = ::socket(AF_INET, SOCK_DGRAM, 0);
    sockaddr_in from{};
    from.sin_family = AF_INET;
    const auto address = static_cast<std::uint32_t>(made / kPortsPerAddress);
    from.sin_addr.s_addr = htonl(0x7f020001U + address);
    from.sin_port = htons(static_cast<std::uint16_t>(10'000 + made % kPortsPerAddress));
    const auto service = service_address(made % kServices);
    std::copy_n(service.bytes().begin(), 4, reinterpret_cast<std::uint8_t*>(&to.sin_addr));
    const bool sent =
        ::bind(descriptor, reinterpret_cast<sockaddr*>(&from), sizeof from) == 0 &&
        ::sendto(descriptor, "x", 1, 0, reinterpret_cast<sockaddr*>(&to), sizeof to) == 1;
    ::close(descriptor);
    if (!sent) return false;
  }
  return true;
}

double thread_milliseconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

double look(dataplane::ConntrackTable& table, proxy::FlowAccounts& accounts) {
  const double start = thread_milliseconds();
  accounts.begin_look();
  const auto whole = table.visit({.status = dataplane::kConntrackDestinationNat},
                                 [&](const auto& entry) { accounts.seen(entry); });
  accounts.end_look();
  if (!whole) std::abort();
  return thread_milliseconds() - start;
}

struct Ends {
  double milliseconds = 0;
  std::size_t events = 0;
  bool lost = false;
};

// Some are ended, then the news of them is read, and so on: only the reading is measured.
Ends end_all(dataplane::ConntrackTable& table, dataplane::ConntrackEvents& events,
             proxy::FlowAccounts& accounts) {
  const auto entries = table.list({.family = IpFamily::V4}).value();
  Ends ends;
  std::size_t ended = 0;
  for (const auto& entry : entries) {
    if (!table.remove(entry)) std::abort();
    if (++ended % 500 != 0 && ended != entries.size()) continue;
    const double start = thread_milliseconds();
    const auto drained = events.drain([&](const auto& end) { accounts.ended(end); });
    ends.milliseconds += thread_milliseconds() - start;
    if (!drained) std::abort();
    ends.events += drained->events;
    ends.lost = ends.lost || drained->lost;
  }
  return ends;
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t count = (argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 50) * 1'000;
  if (!enter_own_network()) {
    std::printf("connections are not measured: no network namespace or no nftables here\n");
    return 0;
  }
  auto events = dataplane::ConntrackEvents::open({});
  auto table = dataplane::ConntrackTable::open();
  if (!events || !table) std::abort();
  proxy::FlowAccounts accounts;
  accounts.views().add(view(), {});
  const double empty = look(*table, accounts);
  if (!make_flows(count)) std::abort();
  const Ends unseen = end_all(*table, *events, accounts);
  if (!make_flows(count)) std::abort();
  const double first = look(*table, accounts);
  const double again = look(*table, accounts);
  const Ends seen = end_all(*table, *events, accounts);
  const double thousands = static_cast<double>(count) / 1'000;
  const double per_thousand = unseen.milliseconds / thousands;
  std::printf("%zu connections to %zu services, processor time for a thousand:\n", count,
              kServices);
  std::printf("  that end %.2f ms, that end after a look %.2f ms%s\n", per_thousand,
              seen.milliseconds / thousands, unseen.lost || seen.lost ? ", SOME LOST" : "");
  std::printf("  that are seen first %.2f ms, again %.2f ms; a look at none %.2f ms\n",
              (first - empty) / thousands, (again - empty) / thousands, empty);
  const bool all = unseen.events == count && seen.events == count;
  return all && per_thousand <= kMostMilliseconds ? 0 : 1;
}
