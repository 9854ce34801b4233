// SPDX-License-Identifier: Apache-2.0
// What can be done over HTTP, and what is fetched from elsewhere for an answer. Everything here may
// take its time, and is called on threads for that.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kube/api.h"
#include "net/cancellation.h"
#include "web/lab_actions.h"
#include "web/live_source.h"
#include "web/prediction.h"

namespace proxima::web {

class WebActions {
 public:
  struct Ports {
    kube::KubeApi& api;
    const LiveSource* live;        // null: there is no lab
    LabActions* lab;               // null: there is no lab
    std::uint16_t proxy_port = 0;  // of node proxies, where there is no lab
    std::string proxy_token_file;  // see ProxyPage
  };
  explicit WebActions(Ports ports) : ports_(std::move(ports)) {}

  // Writes the annotations of a Service, or takes them away.
  Status set_policy(const std::string& ns, const std::string& name, const PolicyWish& wish);
  // `action` is "fail-zone", "heal", …; the body is what the page sent. The document to answer
  // with. NotFound: no such action, or no lab.
  Result<std::string> act(std::string_view action, std::string_view body);
  // The document of the node proxy's /debug/routes.
  Result<std::string> fetch_routes(const ClusterPicture& picture, const std::string& node);
  // Ends what waits for somebody else's answer.
  void stop() { stop_.cancel(); }

  static bool is_action(std::string_view action);

 private:
  Result<std::string> origin_of(const ClusterPicture& picture, const std::string& node) const;

  Ports ports_;
  net::Cancellation stop_;
};

}  // namespace proxima::web
