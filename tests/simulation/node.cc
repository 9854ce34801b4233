// SPDX-License-Identifier: Apache-2.0
#include "simulation/node.h"

#include "proxy/nft_data_plane.h"
#include "proxy/node_proxy.h"
#include "simulation/cache_watch.h"
#include "simulation/delivery.h"

namespace proxima::simulation {

// As ClusterWorld gives them out.
std::vector<IpAddress> Node::addresses_of(const std::string& node) {
  const std::string last = std::to_string(std::stoi(node.substr(node.rfind('-') + 1)) + 1);
  return {IpAddress::parse("192.168.0." + last).value(),
          IpAddress::parse("fd00:192::" + last).value()};
}

class Node::Running final : public Member::Parts {
 public:
  Running(Node& node, Process& process)
      : log_(node.make_log(process)),
        api_(node.make_api(process, {.qps = 5, .burst = 10})),
        nft_(node.kernel_.nft(process)),
        flows_(node.kernel_.flows(process)),
        v4_(IpFamily::V4, {}, *nft_),
        v6_(IpFamily::V6, {}, *nft_),
        watch_(process, node.ports().violation) {
    proxy::NodeProxyOptions options;
    options.config = proxy::default_proxy_config();
    options.config.cluster_cidrs = {"10.1.0.0/16", "fd00:10:1::/48"};
    options.node_name = node.kernel_.node();
    options.check_period = std::chrono::seconds(60);
    options.seed = node.random().next();
    const auto violation = node.ports().violation;
    proxy_ = proxy::NodeProxy::create(
        std::move(options),
        {.api = *api_,
         .clock = process,
         .metrics = metrics_,
         .log = log_,
         .planes = {{IpFamily::V4, v4_}, {IpFamily::V6, v6_}},
         .flows = flows_.get(),
         .local_addresses = [addresses = addresses_of(node.kernel_.node())]()
             -> Result<std::vector<IpAddress>> { return addresses; },
         .tell = [](const proxy::News&) {},
         .on_active = {},
         .on_view = [this](proxy::FlowView view) { view_ = std::move(view); },
         .on_routed =
             [this, &node, &process, violation, last = kube::Version{0}](
                 kube::Version version, const std::vector<std::string>&) mutable {
               if (version < last)
                 violation(process.name() + ": the slices that are routed go back");
               last = version;
               if (process.is_dead()) return;
               if (const std::string wrong = check_in_step(view_, node.kernel_); !wrong.empty())
                 violation(process.name() + " says that it routes what it does not: " + wrong);
             },
         .on_hopeless =
             [&process, violation](const std::string& why) {
               if (!process.is_dead()) violation(process.name() + ": gives up: " + why);
             }});
    proxy::ProxyCaches& caches = proxy_->caches();
    watch_.add(caches.services, "services");
    watch_.add(caches.slices, "endpointslices");
    watch_.add(caches.nodes, "nodes");
    watch_.add(caches.ranges, "servicecidrs");
    proxy_->start();
  }
  void stop() override { proxy_->stop(); }
  std::vector<Held> held() const override {
    const proxy::NodeProxyStatus status = proxy_->status();
    std::vector<Held> held = watch_.held();
    const auto add = [&held](const char* what, std::size_t count, Held::Per per, const char* kind) {
      held.push_back(
          {.what = what, .count = count, .per = per, .kinds = {kind}, .idle = Held::Idle::Nothing});
    };
    add("Services for the next round", status.changed_services, Held::Per::Objects, "services");
    add("slices for the next round", status.changed_slices, Held::Per::Objects, "endpointslices");
    add("changes of slices for the next round", status.slice_events, Held::Per::Changes,
        "endpointslices");
    return held;
  }

 private:
  telemetry::Log log_;
  telemetry::MetricsRegistry metrics_;
  std::unique_ptr<kube::HttpApi> api_;
  std::unique_ptr<proxy::NftKernel> nft_;
  std::unique_ptr<proxy::FlowTable> flows_;
  proxy::NftDataPlane v4_;
  proxy::NftDataPlane v6_;
  proxy::FlowView view_;  // the routes of the last round
  CacheWatch watch_;      // listens to caches, and outlives them
  std::unique_ptr<proxy::NodeProxy> proxy_;
};

std::unique_ptr<Member::Parts> Node::make(Process& process) {
  return std::make_unique<Running>(*this, process);
}

}  // namespace proxima::simulation
