// SPDX-License-Identifier: Apache-2.0
#include "slices/endpoint_ports.h"

#include <gtest/gtest.h>

#include <string>

#include "support/slice_world.h"

namespace proxima::slices {
namespace {

using kube::Protocol;
using support::SliceWorld;

struct ContainerPort {
  const char* name;
  Protocol protocol;
  std::uint16_t port;
};
struct Case {
  const char* story;
  std::vector<kube::ServicePortRecord> service;
  std::vector<ContainerPort> pod;  // named ones, sidecars last: the decoder keeps no others
  const char* wanted;
};

kube::ServicePortRecord with_protocol(kube::ServicePortRecord port, Protocol protocol) {
  port.protocol = protocol;
  return port;
}
kube::ServicePortRecord with_app(kube::ServicePortRecord port, const char* app_protocol) {
  port.app_protocol = Text(app_protocol);
  return port;
}

std::string text_of(const EndpointPorts& ports) {
  std::string text;
  for (const kube::EndpointPortRecord& port : ports) {
    if (!text.empty()) text += " ";
    text += std::string(port.name.view()) + "/" + std::string(port.protocol.view()) + "/" +
            std::to_string(port.port.value_or(-1));
    if (port.app_protocol) text += "/" + std::string(port.app_protocol.view());
  }
  return text;
}

TEST(EndpointPorts, AreWhatTheServiceAsksOfThePod) {
  const auto http = SliceWorld::named_port("http", "web");
  const Case cases[] = {
      {"a number is taken as it is", {SliceWorld::port("http", 8080)}, {}, "http/TCP/8080"},
      {"a name is looked for among the containers",
       {http},
       {{"web", Protocol::Tcp, 81}},
       "http/TCP/81"},
      {"the first of that name counts",
       {http},
       {{"web", Protocol::Tcp, 81}, {"web", Protocol::Tcp, 82}},
       "http/TCP/81"},
      {"the protocol must be right",
       {http},
       {{"web", Protocol::Udp, 81}, {"web", Protocol::Tcp, 82}},
       "http/TCP/82"},
      {"also for UDP",
       {with_protocol(http, Protocol::Udp)},
       {{"web", Protocol::Tcp, 81}, {"web", Protocol::Udp, 82}},
       "http/UDP/82"},
      {"a name that nobody has leaves the port out",
       {http, SliceWorld::port("other", 9)},
       {{"x", Protocol::Tcp, 81}},
       "other/TCP/9"},
      {"nothing found, no ports", {http}, {}, ""},
      {"an unnamed port has an empty name", {SliceWorld::port("", 1)}, {}, "/TCP/1"},
      {"the application protocol comes along",
       {with_app(SliceWorld::port("a", 1), "https"), with_app(SliceWorld::port("b", 2), ""),
        SliceWorld::port("c", 3)},
       {},
       "a/TCP/1/https b/TCP/2/ c/TCP/3"},
      {"they are in the order of their names, not the Service's",
       {SliceWorld::port("z", 1), SliceWorld::port("a", 2)},
       {},
       "a/TCP/2 z/TCP/1"},
      {"a Service without ports asks for none", {}, {{"web", Protocol::Tcp, 81}}, ""},
  };
  for (const Case& c : cases) {
    SliceWorld world;
    world.service.ports = c.service;
    kube::PodWorkload workload;
    for (const ContainerPort& port : c.pod)
      workload.ports.push_back(
          {.name = Text(port.name), .protocol = port.protocol, .port = port.port});
    EXPECT_EQ(text_of(resolve_ports(world.service, &workload)), c.wanted) << c.story;
  }
}

TEST(EndpointPorts, DependOnThePodOnlyThroughNames) {
  SliceWorld world;
  EXPECT_FALSE(has_named_target(world.service));
  world.service.ports.push_back(SliceWorld::named_port("x", "y"));
  EXPECT_TRUE(has_named_target(world.service));
}

TEST(EndpointPorts, NoNameAndAnEmptyOneDiffer) {
  kube::EndpointPortRecord none, empty;
  empty.app_protocol = Text("");
  EXPECT_TRUE(port_less(none, empty));
  EXPECT_FALSE(port_less(empty, none));
}

}  // namespace
}  // namespace proxima::slices
