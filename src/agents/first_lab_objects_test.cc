// SPDX-License-Identifier: Apache-2.0
#include "agents/first_lab_objects.h"

#include <gtest/gtest.h>

namespace proxima::agents {
namespace {

TEST(FirstLabObjects, AreNamespacesNodesServicesAndPodsByZone) {
  LabShape shape = default_shape();
  shape.zones[1].nodes = 1;
  shape.services.erase(shape.services.begin());
  std::string text;
  for (const FirstObject& object : first_lab_objects(shape))
    text += std::string(object.resource.kind) + " " + object.name + "\n";
  EXPECT_EQ(text,
            "Namespace lab-clients\nNamespace shop\n"
            "Node node-1\nNode node-2\nNode node-3\nNode node-4\nNode node-5\n"
            "Service lopsided\nPod lopsided-1\nPod lopsided-2\nPod lopsided-3\nPod lopsided-4\n"
            "Service single\nPod single-1\nPod single-2\nPod single-3\n");
  EXPECT_NE(first_lab_objects(shape)[4].json.find("\"zone-b\""), std::string::npos) << "node-3";
}

}  // namespace
}  // namespace proxima::agents
