// SPDX-License-Identifier: Apache-2.0
#include "simulation/node.h"

#include "proxy/nft_data_plane.h"
#include "proxy/node_proxy.h"

namespace proxima::simulation {

// As ClusterWorld gives them out.
IpAddress Node::address_of(const std::string& node) {
  const int number = std::stoi(node.substr(node.rfind('-') + 1));
  return IpAddress::parse("192.168.0." + std::to_string(number + 1)).value();
}

class Node::Running final : public Member::Parts {
 public:
  Running(Node& node, Process& process)
      : log_(node.make_log(process)),
        api_(node.make_api(process, {.qps = 5, .burst = 10})),
        nft_(node.kernel_.nft(process)),
        flows_(node.kernel_.flows(process)),
        plane_(IpFamily::V4, {}, *nft_) {
    proxy::NodeProxyOptions options;
    options.config = proxy::default_proxy_config();
    options.config.cluster_cidrs = {"10.1.0.0/16"};
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
         .planes = {{IpFamily::V4, plane_}},
         .flows = flows_.get(),
         .local_addresses =
             [address = address_of(node.kernel_.node())]() -> Result<std::vector<IpAddress>> {
           return std::vector{IpAddress::parse("127.0.0.1").value(), address};
         },
         .tell = [](const proxy::News&) {},
         .on_active = {},
         .on_view = {},
         .on_routed =
             [&process, violation, last = kube::Version{0}](
                 kube::Version version, const std::vector<std::string>&) mutable {
               if (version < last)
                 violation(process.name() + ": the slices that are routed go back");
               last = version;
             },
         .on_hopeless =
             [&process, violation](const std::string& why) {
               if (!process.is_dead()) violation(process.name() + ": gives up: " + why);
             }});
    proxy_->start();
  }
  void stop() override { proxy_->stop(); }

 private:
  telemetry::Log log_;
  telemetry::MetricsRegistry metrics_;
  std::unique_ptr<kube::HttpApi> api_;
  std::unique_ptr<proxy::NftKernel> nft_;
  std::unique_ptr<proxy::FlowTable> flows_;
  proxy::NftDataPlane plane_;
  std::unique_ptr<proxy::NodeProxy> proxy_;
};

std::unique_ptr<Member::Parts> Node::make(Process& process) {
  return std::make_unique<Running>(*this, process);
}

}  // namespace proxima::simulation
