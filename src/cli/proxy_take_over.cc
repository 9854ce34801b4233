// SPDX-License-Identifier: Apache-2.0
#include "cli/proxy_take_over.h"

#include "proxy/kube_proxy_traces.h"

namespace proxima::cli {
namespace {

constexpr const char* kTold =
    "kube-proxy has rules here too; --take-over removes them once it has stopped, "
    "--service-proxy-name lets both stand side by side";

void nftables_mode(proxy::NodePlanes& planes, TakeOver how, const telemetry::Log& log) {
  const auto families = planes.find_kube_proxy();
  if (!families) {
    log.error("Failed to look for rules of kube-proxy", families.error().message);
    return;
  }
  for (const IpFamily family : *families) {
    if (how == TakeOver::Tell) {
      log.warning(kTold, {{"family", to_text(family)}});
      continue;
    }
    const Status removed = planes.remove_kube_proxy(family);
    if (removed) log.info("Removed kube-proxy's rules", {{"family", to_text(family)}});
    if (!removed) log.error("Failed to remove kube-proxy's rules", removed.error().message);
  }
}

void iptables_mode(proxy::NodePlanes& planes, TakeOver how, const telemetry::Log& log) {
  const auto found = planes.find_iptables_rules();
  if (!found) {
    log.error("Failed to look for iptables rules of kube-proxy", found.error().message);
    return;
  }
  if (found->empty()) return;
  std::string tables;
  for (const dataplane::NftTransaction& removal : *found)
    tables += (tables.empty() ? "" : ", ") +
              std::string(removal.family == IpFamily::V4 ? "ip " : "ip6 ") + removal.table;
  if (how == TakeOver::Tell) {
    log.warning(kTold, {{"tables", tables}});
    return;
  }
  const Status removed = planes.remove_iptables_rules();
  if (removed) log.info("Removed kube-proxy's iptables rules", {{"tables", tables}});
  if (!removed) log.error("Failed to remove kube-proxy's iptables rules", removed.error().message);
}

}  // namespace

void take_over_from_kube_proxy(proxy::NodePlanes& planes, TakeOver how, const telemetry::Log& log) {
  nftables_mode(planes, how, log);
  iptables_mode(planes, how, log);
  for (const std::string& trace : proxy::find_kube_proxy_traces(std::string()))
    log.warning(
        "Something of kube-proxy may be left that this program cannot remove; `kube-proxy "
        "--cleanup` of the version that ran here does, once it has stopped",
        {{"found", trace}});
}

}  // namespace proxima::cli
