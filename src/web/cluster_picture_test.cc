// SPDX-License-Identifier: Apache-2.0
#include "web/cluster_picture.h"

#include <gtest/gtest.h>

namespace proxima::web {
namespace {

NodePicture node(const char* name) {
  NodePicture picture;
  picture.name = name;
  return picture;
}

ServicePicture service(const char* name) {
  ServicePicture picture;
  picture.ns = "shop";
  picture.name = name;
  return picture;
}

PodPicture pod(const char* name, bool ready) {
  PodPicture picture;
  picture.ns = "shop";
  picture.name = name;
  picture.ready = ready;
  return picture;
}

TEST(Shows, AllOfTheObjectsOrMoreThanThereIsRoomFor) {
  ClusterPicture picture;
  picture.nodes = {node("n1"), node("n2")};
  picture.services = {service("web")};
  picture.pods = {pod("web-1", true), pod("web-2", false)};
  ClusterPicture crowded = picture;
  crowded.services_not_shown = 1;
  crowded.pods_not_shown = 1;
  const struct {
    const char* what;
    const ClusterPicture& picture;
    ObjectNames names;
    bool shown;
  } rows[] = {
      {"nothing is asked for", picture, {}, true},
      {"all of them", picture, {{"n1", "n2"}, {"shop/web"}, {"shop/web-1"}}, true},
      {"a node is missing", picture, {{"n1", "n3"}, {"shop/web"}, {}}, false},
      {"a Service is missing", picture, {{}, {"shop/web", "shop/other"}, {}}, false},
      {"a Service of another namespace", picture, {{}, {"other/web"}, {}}, false},
      {"a Pod is missing", picture, {{}, {}, {"shop/web-3"}}, false},
      {"a Pod is not ready yet", picture, {{}, {}, {"shop/web-2"}}, false},
      {"what is not shown may be it", crowded, {{"n1"}, {"shop/other"}, {"shop/web-3"}}, true},
      {"nodes are all shown", crowded, {{"n3"}, {}, {}}, false},
  };
  for (const auto& row : rows) EXPECT_EQ(shows(row.picture, row.names), row.shown) << row.what;
}

}  // namespace
}  // namespace proxima::web
