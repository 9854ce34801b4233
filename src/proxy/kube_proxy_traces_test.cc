// SPDX-License-Identifier: Apache-2.0
#include "proxy/kube_proxy_traces.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "support/temp_folder.h"

namespace proxima::proxy {
namespace {

constexpr const char* kDevices =
    "Inter-|   Receive                                                |  Transmit\n"
    " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets\n"
    "    lo:  100       2    0    0    0     0          0         0      100       2\n";

struct Row {
  const char* name;
  const char* file;  // under /proc/net
  std::string text;
  std::vector<std::string> found;
};

TEST(KubeProxyTraces, AreToldOneByOne) {
  const Row rows[] = {
      {"nothing", "dev", kDevices, {}},
      {"the device of IPVS",
       "dev",
       std::string(kDevices) + "kube-ipvs0:  0 0 0 0 0 0 0 0 0 0\n",
       {"the device kube-ipvs0 makes Service addresses local ones"}},
      {"one whose name only begins like it", "dev", std::string(kDevices) + "kube-ipvs00: 0\n", {}},
      {"IPVS without virtual servers",
       "ip_vs",
       "IP Virtual Server version 1.2.1 (size=4096)\nProt LocalAddress:Port Scheduler Flags\n"
       "  -> RemoteAddress:Port Forward Weight ActiveConn InActConn\n",
       {}},
      {"virtual servers",
       "ip_vs",
       "IP Virtual Server version 1.2.1 (size=4096)\nTCP  0A600001:01BB rr\n"
       "  -> 0A000001:192B Masq 1 0 0\nUDP  0A60000A:0035 rr\n",
       {"IPVS has 2 virtual servers"}},
      {"tables of iptables-legacy",
       "ip_tables_names",
       "nat\nfilter\nraw\n",
       {"iptables-legacy has rules here (nat, filter), which may be kube-proxy's: "
        "`iptables-legacy-save | grep KUBE-` shows them"}},
      {"tables that kube-proxy does not use", "ip6_tables_names", "raw\nsecurity\n", {}},
      {"tables of IPv6",
       "ip6_tables_names",
       "nat\n",
       {"ip6tables-legacy has rules here (nat), which may be kube-proxy's: "
        "`ip6tables-legacy-save | grep KUBE-` shows them"}},
  };
  for (const Row& row : rows) {
    const testing::TempFolder root;
    std::filesystem::create_directories(root.path() + "/proc/net");
    std::ofstream(root.path() + "/proc/net/" + row.file) << row.text;
    EXPECT_EQ(find_kube_proxy_traces(root.path()), row.found) << row.name;
  }
}

}  // namespace
}  // namespace proxima::proxy
