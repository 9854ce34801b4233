// SPDX-License-Identifier: Apache-2.0
// The traffic of a real cluster: its node proxies count connections, and are asked for what they
// counted while somebody looks at the page, and for a quarter of an hour after. Nobody looks:
// nobody is asked. Methods may be called from any thread.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/clock.h"
#include "controller/cluster_caches.h"
#include "net/cancellation.h"
#include "web/flow_windows.h"
#include "web/live_source.h"
#include "web/proxy_page.h"

namespace proxima::web {

struct ProxyTrafficOptions {
  std::uint16_t port = kProxyPort;
  std::string token_file = {};                      // see ProxyPage
  std::chrono::milliseconds period{10'000};         // between two rounds through the nodes
  std::chrono::milliseconds silent_period{60'000};  // between two tries at one that did not answer
  std::chrono::milliseconds keep_asking = std::chrono::minutes(15);  // after somebody has looked
  // Of a larger cluster as many are asked, picked evenly: shares are those of a fair sample, and
  // neither this process nor the network works more for more nodes.
  std::size_t nodes_max = 1000;
  std::function<Result<ProxyReport>(std::string_view)> parse = parse_proxy_report;
};

class ProxyTraffic final : public TrafficSource {
 public:
  // The caches and the clock must outlive it.
  ProxyTraffic(const ProxyTrafficOptions& options, controller::ClusterCaches& caches, Clock& clock);
  ~ProxyTraffic() override;
  ProxyTraffic(const ProxyTraffic&) = delete;
  ProxyTraffic& operator=(const ProxyTraffic&) = delete;

  TrafficSpans spans() const override { return {.flows = kFlows, .settle = kSettle}; }
  SeenWindow window(std::chrono::seconds last) const override;
  TrafficTotals totals() const override;
  void wanted() const override;
  std::optional<AskedProxies> asked() const override;

  // Connections that last are counted when proxies look, every 30 seconds: a minute has some of
  // each.
  static constexpr std::chrono::seconds kFlows{60};
  // Two steps of reports, and a look.
  static constexpr std::chrono::seconds kSettle{60};

 private:
  using Time = Clock::SteadyTime;
  struct Node {
    std::string name;
    std::string address;
  };
  struct Silence {
    Time next_try;
    std::string problem;
  };

  void run();
  void forget();
  void ask_all();
  void ask(const Node& node);
  Result<ProxyReport> fetch_report(const ProxyPage& page) const;
  Result<ProxyReport> fetch_guarded(const ProxyPage& page) const;
  Status count_locked(const ProxyPage& page, ProxyReport& report, Time now);
  void set_zones();
  std::vector<Node> pick_nodes();
  void forget_others(const std::vector<Node>& nodes);
  bool is_due(const Node& node) const;

  ProxyTrafficOptions options_;
  controller::ClusterCaches& caches_;
  Clock& clock_;
  net::Cancellation stop_;

  mutable std::mutex mutex_;
  mutable ConditionVariable changed_;
  bool stopping_ = false;
  mutable Time wanted_until_{};
  FlowWindows windows_;
  ZoneNames zones_;  // of Nodes
  std::size_t nodes_ = 0;
  std::size_t picked_ = 0;
  std::set<std::string> answered_;
  std::map<std::string, Silence> silent_;
  std::thread thread_;
};

}  // namespace proxima::web
