// SPDX-License-Identifier: Apache-2.0
#include "slices/render_slice.h"

#include <gtest/gtest.h>

#include <string>

#include "kube/record_reader.h"
#include "support/slice_world.h"
#include "wire/padded_text.h"

namespace proxima::slices {
namespace {

SliceRef decode(const std::string& json) {
  kube::RecordReader<kube::EndpointSliceRecord> reader("EndpointSlice", [](const wire::Problem& p) {
    ADD_FAILURE() << p.field << ": " << p.message;
  });
  const wire::PaddedText padded(json);
  return reader.object(padded.text()).record;
}

std::string render(const SliceRef& slice) { return render_slice({.value = *slice, .before = {}}); }

// Everything that a slice can hold of what is ours or others' to write.
const std::string kFull =
    R"({"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice",)"
    R"("metadata":{"name":"web-x","generateName":"web-","namespace":"shop",)"
    R"("resourceVersion":"9",)"
    R"("labels":{"a\"b":"\\","kubernetes.io/service-name":"web"},)"
    R"("annotations":{"note":"line\nline"},)"
    R"("ownerReferences":[{"apiVersion":"v1","kind":"Service","name":"web","uid":"u-2",)"
    R"("controller":true,"blockOwnerDeletion":false},)"
    R"({"apiVersion":"x/v1","kind":"Other","name":"o","uid":"u-3"}],)"
    R"("finalizers":["example.com/f"]},)"
    R"("addressType":"IPv6",)"
    R"("endpoints":[{"addresses":["fd00::1","fd00::2"],)"
    R"("conditions":{"ready":true,"serving":false,"terminating":false},"hostname":"",)"
    R"("targetRef":{"kind":"Pod","namespace":"shop","name":"web-1","uid":"u-1",)"
    R"("apiVersion":"v1","resourceVersion":"4","fieldPath":"p"},)"
    R"("deprecatedTopology":{"k":"v"},"nodeName":"n","zone":"a",)"
    R"("hints":{"forZones":[{"name":"a"},{"name":"b"}],"forNodes":[{"name":"n"}]}},)"
    R"({"addresses":["fd00::3"],"conditions":{}}],)"
    R"("ports":[{"name":"","protocol":"TCP","port":80,"appProtocol":"h2c"},{}]})";

TEST(RenderSlice, WritesBackWhatItReadAndNothingElse) { EXPECT_EQ(render(decode(kFull)), kFull); }

TEST(RenderSlice, LeavesToTheServerWhatIsTheServers) {
  std::string json = kFull;
  const std::string name = R"("name":"web-x",)";
  json.insert(json.find(name), R"("uid":"u-4","generation":3,"creationTimestamp":)"
                               R"("2026-03-01T00:00:00Z",)");
  EXPECT_EQ(render(decode(json)), kFull);
}

TEST(RenderSlice, ANewSliceHasListsWithoutAnythingInThem) {
  support::SliceWorld world;
  const auto draft = world.pack();
  ASSERT_EQ(draft.creates.size(), 1U);
  EXPECT_EQ(render_slice(draft.creates[0]),
            R"({"apiVersion":"discovery.k8s.io/v1","kind":"EndpointSlice",)"
            R"("metadata":{"generateName":"web-","namespace":"shop",)"
            R"("labels":{)"
            R"("endpointslice.kubernetes.io/managed-by":"endpointslice-controller.k8s.io",)"
            R"("kubernetes.io/service-name":"web"},)"
            R"("ownerReferences":[{"apiVersion":"v1","kind":"Service","name":"web",)"
            R"("uid":"web-uid","controller":true,"blockOwnerDeletion":true}]},)"
            R"("addressType":"IPv4","endpoints":[],"ports":[]})");
}

TEST(RenderSlice, WhatWasPackedIsTheSameAfterItWasWritten) {
  support::SliceWorld world;
  world.pods(150);
  world.pod(7).terminating = true;
  world.sync();
  for (auto& [name, slice] : world.all_slices) {
    const SliceRef read = decode(render(slice));
    EXPECT_EQ(render(read), render(slice));
    slice = read;
  }
  EXPECT_EQ(world.sync(), "nothing");
}

}  // namespace
}  // namespace proxima::slices
