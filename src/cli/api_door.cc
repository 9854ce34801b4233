// SPDX-License-Identifier: Apache-2.0
#include "cli/api_door.h"

#include <fmt/format.h>

namespace proxima::cli {
namespace {

const kube::ObjectRef& slice_ref() {
  static const kube::ObjectRef ref{kube::kEndpointSlices, "default", "kubernetes"};
  return ref;
}

}  // namespace

std::string api_slice(const std::string& address, std::uint16_t port) {
  return fmt::format(
      R"({{"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice",)"
      R"("metadata":{{"name":"kubernetes","namespace":"default",)"
      R"("labels":{{"kubernetes.io/service-name":"kubernetes"}}}},"addressType":"IPv4",)"
      R"("endpoints":[{{"addresses":["{}"],"conditions":{{"ready":true}}}}],)"
      R"("ports":[{{"name":"https","protocol":"TCP","port":{}}}]}})",
      address, port);
}

Result<std::unique_ptr<ApiDoor>> ApiDoor::open(const lab::LabNetwork& network, kube::KubeApi& api,
                                               std::uint16_t port) {
  std::unique_ptr<ApiDoor> door(new ApiDoor(api));
  const std::string address = lab::router_addresses().v4.text();
  PROXIMA_TRY(const auto router, network.host(lab::LabNetwork::router()), "the way to the API");
  PROXIMA_TRY(lab::Relay relay, door->relays_.listen_inside(router, port, port, address),
              "the way to the API");
  door->relay_.emplace(std::move(relay));
  Status published = door->publish(address, port);
  if (!published) return std::move(published).error().in("the way to the API");
  return door;
}

ApiDoor::~ApiDoor() {
  // Whether it worked or not, the lab ends now; the next one writes it anew.
  (void)client_.remove(slice_ref(), {}, {});
}

// A cluster that was kept, and whose lab was killed, has one of another port.
Status ApiDoor::publish(const std::string& address, std::uint16_t port) {
  const std::string slice = api_slice(address, port);
  auto answer = client_.patch(slice_ref(), kube::PatchKind::Merge, slice, {});
  if (!answer && kube::is_not_found(answer.error()))
    answer = client_.create(slice_ref(), slice, {});
  if (answer) return Unit{};
  return kube::to_error(answer.error());
}

}  // namespace proxima::cli
