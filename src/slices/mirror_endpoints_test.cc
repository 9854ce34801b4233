// SPDX-License-Identifier: Apache-2.0
#include "slices/mirror_endpoints.h"

#include <gtest/gtest.h>

#include "support/mirror_notation.h"

namespace proxima::slices {
namespace {

kube::LabelSetRef labels_of(std::vector<kube::LabelText> labels) {
  std::sort(labels.begin(), labels.end(),
            [](const auto& a, const auto& b) { return a.key < b.key; });
  return kube::LabelSetRef(new kube::LabelSet(std::move(labels)));
}

MirrorDraft mirror(const kube::EndpointsRecord& endpoints, const std::vector<SliceRef>& slices,
                   std::size_t limit = 1000) {
  return mirror_endpoints({endpoints, slices, limit});
}

TEST(MirrorEndpoints, WritesWhatIsNotThereYet) {
  struct Row {
    const char* name;
    const char* endpoints;
    const char* slices;
    const char* writes;
  };
  const Row rows[] = {
      {"nothing for nothing", "", "", ""},
      {"a slice for a subset", "1 2 :80", "", "create 1 2 :80"},
      {"ready ones first", "!1 2 :80", "", "create 2 !1 :80"},
      {"a slice for each list of ports", "1 :80 | 2 :443", "", "create 2 :443; create 1 :80"},
      {"a slice for each family", "1 v1 :80", "", "create 1 :80; create v1 :80"},
      {"without ports too", "1 :", "", "create 1 :"},
      {"several subsets with one address", "1 :80 | 1 :443", "", "create 1 :443,80"},
      {"addresses as everybody writes them", "010.0.0.1 fd00:0::1 :80", "",
       "create 1 :80; create v1 :80"},
      {"an address written in two ways is one", "!10.0.0.01 1 :80", "", "create !1 :80"},
      {"what is there is left alone", "1 !2 :80", "s1=1 !2 :80", "keep s1"},
      {"in whatever order", "1 2 :80", "s1=2 1 :80", "keep s1"},
      {"ports too", "1 :80,443", "s1=1 :80,443", "keep s1"},
      {"one more", "1 2 :80", "s1=1 :80", "update s1=1 2 :80"},
      {"one less", "1 :80", "s1=1 2 :80", "update s1=1 :80"},
      {"another readiness", "!1 :80", "s1=1 :80", "update s1=!1 :80"},
      {"an endpoint that is there twice is written once", "1 2 :80", "s1=1 1 :80",
       "update s1=1 2 :80"},
      {"the last address goes, and the slice", "", "s1=1 :80", "delete s1"},
      {"the last of a family goes", "1 :80", "s1=1 :80; s2=v1 :80", "keep s1; delete s2"},
      {"of two slices for the same one is enough", "1 :80", "s1=1 :80; s2=1 :80",
       "keep s1; delete s2"},
      {"other ports take over the slice", "1 :443", "s1=1 :80", "update s1=1 :443"},
      {"of the same family only", "1 :443", "s1=v1 :80", "create 1 :443; delete s1"},
      {"as far as there are some", "1 :443 | 2 :444", "s1=1 :80",
       "create 2 :444; update s1=1 :443"},
      {"and the rest goes", "1 :443", "s1=1 :80; s2=1 :81", "update s1=1 :443; delete s2"},
      {"another target of the same name is an update", "1@a :80", "s1=1@b :80",
       "update s1=1@a :80"},
  };
  for (const Row& row : rows) {
    const auto endpoints = endpoints_of(row.endpoints);
    EXPECT_EQ(render_draft(mirror(endpoints, slices_of(endpoints, row.slices))), row.writes)
        << row.name;
  }
}

TEST(MirrorEndpoints, WhatItWroteItLeavesAlone) {
  const auto endpoints = endpoints_of("1 v2 !3 :80,443 | 4@x v5 : | 1 6 :9");
  std::vector<SliceRef> written;
  for (const FamilyDraft& family : mirror(endpoints, {}).families)
    for (const SliceDraft& draft : family.creates) {
      kube::EndpointSliceRecord slice = draft.value;
      slice.meta.name = Text("s" + std::to_string(written.size()));
      written.push_back(SliceRef(new kube::EndpointSliceRecord(std::move(slice))));
    }
  EXPECT_EQ(render_draft(mirror(endpoints, written)),
            "keep s0; keep s1; keep s2; keep s3; keep s4");
}

TEST(MirrorEndpoints, ASubsetIsCutAtTheLimit) {
  struct Row {
    const char* name;
    const char* endpoints;
    const char* writes;
    std::size_t invalid;
    std::size_t skipped;
  };
  const Row rows[] = {
      {"at the limit", "1 2 :80", "create 1 2 :80", 0, 0},
      {"not ready ones go first", "!1 2 3 :80", "create 2 3 :80", 0, 1},
      {"families count together", "1 2 v1 v2 :80", "create 1 2 :80", 0, 2},
      {"each subset by itself", "1 2 3 :80 | 4 5 :81", "create 1 2 :80; create 4 5 :81", 0, 1},
      {"an invalid address takes no place", "0bad 1 2 :80", "create 1 2 :80", 1, 1},
      {"not even the only one", "nowhere :80", "", 1, 1},
      {"invalid ones beyond the limit are not looked at", "1 2 nowhere :80", "create 1 2 :80", 0,
       1},
      {"both", "!1 0bad 2 3 4 :80", "create 2 3 :80", 1, 3},
  };
  for (const Row& row : rows) {
    const auto draft = mirror(endpoints_of(row.endpoints), {}, 2);
    EXPECT_EQ(render_draft(draft), row.writes) << row.name;
    EXPECT_EQ(draft.addresses_invalid, row.invalid) << row.name;
    EXPECT_EQ(draft.addresses_skipped, row.skipped) << row.name;
  }
}

TEST(MirrorEndpoints, CountsWhatItDoes) {
  const auto endpoints = endpoints_of("1 !2 3 v1 :80");
  const auto draft = mirror(endpoints, slices_of(endpoints, "s1=1 2 4 :80; s2=9 :81"));
  const FamilyDraft& v4 = draft.families[0];
  EXPECT_EQ(v4.endpoints_added, 1U);
  EXPECT_EQ(draft.endpoints_updated, 1U);
  EXPECT_EQ(v4.endpoints_removed, 2U);
  EXPECT_EQ(v4.endpoints_desired, 3U);
  EXPECT_EQ(v4.slices_desired, 1U);
  EXPECT_EQ(draft.families[1].endpoints_added, 1U);
}

TEST(MirrorEndpoints, MetadataIsMirroredToo) {
  using Change = void (*)(kube::EndpointsRecord&);
  struct Row {
    const char* name;
    Change change;
    const char* writes;
  };
  const Row rows[] = {
      {"nothing", [](auto&) {}, "keep s1"},
      {"a label",
       [](auto& e) {
         e.labels = labels_of({{Text("tier"), Text("other")}});
       },
       "update s1=1 :80"},
      {"no labels any more", [](auto& e) { e.labels = {}; }, "update s1=1 :80"},
      {"an annotation", [](auto& e) { e.annotations = {}; }, "update s1=1 :80"},
      {"when it was written",
       [](auto& e) {
         e.annotations =
             labels_of({{Text("note"), Text("hello")},
                        {Text("endpoints.kubernetes.io/last-change-trigger-time"), Text("now")},
                        {Text("kubectl.kubernetes.io/last-applied-configuration"), Text("much")}});
       },
       "keep s1"},
      {"labels that are the controller's own",
       [](auto& e) {
         e.labels = labels_of({{Text("tier"), Text("data")},
                               {Text(model::kManagedByLabel), Text("me")},
                               {Text(model::kServiceNameLabel), Text("other")}});
       },
       "keep s1"},
      {"another object of the same name", [](auto& e) { e.meta.uid = Text("u-2"); },
       "update s1=1 :80"},
  };
  for (const Row& row : rows) {
    auto endpoints = endpoints_of("1 :80");
    const auto slices = slices_of(endpoints, "s1=1 :80");
    row.change(endpoints);
    EXPECT_EQ(render_draft(mirror(endpoints, slices)), row.writes) << row.name;
  }
}

TEST(MirrorEndpoints, ASliceSaysWhoseItIs) {
  const auto draft = mirror(endpoints_of("1 :80"), {});
  const kube::EndpointSliceRecord& slice = draft.families[0].creates.at(0).value;
  EXPECT_FALSE(slice.meta.name);
  EXPECT_EQ(slice.meta.version, 0U);
  EXPECT_EQ(slice.meta.ns.view(), "shop");
  EXPECT_EQ(slice.generate_name.view(), "db-");
  EXPECT_EQ(slice.service.view(), "db");
  EXPECT_TRUE(is_mirrored(slice));
  EXPECT_EQ(label(slice.labels, model::kServiceNameLabel).view(), "db");
  EXPECT_EQ(label(slice.labels, "tier").view(), "data");
  EXPECT_EQ(label(slice.annotations, "note").view(), "hello");
  ASSERT_EQ(slice.owners.size(), 1U);
  EXPECT_EQ(slice.owners[0].api_version.view(), "v1");
  EXPECT_EQ(slice.owners[0].kind.view(), "Endpoints");
  EXPECT_EQ(slice.owners[0].uid.view(), "u-1");
  EXPECT_EQ(slice.owners[0].controller, true);
  EXPECT_EQ(slice.owners[0].block_owner_deletion, true);
  const kube::EndpointRecord& endpoint = slice.endpoints.at(0);
  EXPECT_EQ(endpoint.ready, model::Condition::True);
  EXPECT_EQ(endpoint.serving, model::Condition::Unset);
  EXPECT_EQ(endpoint.terminating, model::Condition::Unset);
  EXPECT_FALSE(endpoint.zone);
}

TEST(MirrorEndpoints, AnEndpointKeepsHostnameNodeAndTarget) {
  auto endpoints = endpoints_of("1@a :80");
  kube::EndpointsAddressRecord& address = endpoints.subsets[0].ready[0];
  address.hostname = Text("h");
  address.node = Text("node-1");
  const auto draft = mirror(endpoints, {});
  const kube::EndpointRecord& endpoint = draft.families[0].creates.at(0).value.endpoints.at(0);
  EXPECT_EQ(endpoint.hostname, Text("h"));
  EXPECT_EQ(endpoint.node, Text("node-1"));
  EXPECT_EQ(endpoint.target, address.target);
}

TEST(MirrorEndpoints, AnEndpointIsWrittenAgainForWhatOthersSeeOfIt) {
  using Change = void (*)(kube::EndpointRecord&);
  struct Row {
    const char* name;
    Change change;
    const char* writes;
  };
  const Row rows[] = {
      {"another node", [](auto& e) { e.node = Text("n"); }, "update s1=1@a :80"},
      {"a zone that it cannot have", [](auto& e) { e.zone = Text("z"); }, "update s1=1@a :80"},
      {"conditions that it cannot have", [](auto& e) { e.serving = model::Condition::True; },
       "update s1=1@a :80"},
      {"another hostname", [](auto& e) { e.hostname = Text("h"); }, "update s1=1@a :80"},
      {"the target's version", [](auto& e) { e.target->resource_version = Text("5"); }, "keep s1"},
      {"the target's kind", [](auto& e) { e.target->kind = Text("Pod"); }, "update s1=1@a :80"},
      {"somebody's hints", [](auto& e) { e.zone_hints = {Text("z")}; }, "keep s1"},
  };
  for (const Row& row : rows) {
    const auto endpoints = endpoints_of("1@a :80");
    auto slice = slice_of(endpoints, "s1=1@a :80");
    row.change(slice.endpoints[0]);
    const std::vector<SliceRef> slices = {SliceRef(new kube::EndpointSliceRecord(slice))};
    EXPECT_EQ(render_draft(mirror(endpoints, slices)), row.writes) << row.name;
  }
}

TEST(MirrorEndpoints, AnObjectThatIsBeingDeletedGetsNoNewSlices) {
  auto endpoints = endpoints_of("1 2 :80 | 3 :81 | 4 :82");
  endpoints.meta.terminating = true;
  EXPECT_EQ(render_draft(mirror(endpoints, slices_of(endpoints, "s1=1 :80; s2=9 :99"))),
            "update s1=1 2 :80; update s2=3 :81");
}

TEST(MirrorEndpoints, SlicesOfHostNamesAreNotTheirs) {
  const auto endpoints = endpoints_of("1 :80");
  auto slice = slice_of(endpoints, "s1=1 :80");
  slice.address_type = kube::AddressType::Fqdn;
  EXPECT_EQ(render_draft(mirror(endpoints, {SliceRef(new kube::EndpointSliceRecord(slice))})),
            "create 1 :80; delete s1");
}

TEST(MayMirror, AsksTheObject) {
  struct Row {
    const char* name;
    std::vector<kube::LabelText> labels;
    std::vector<kube::LabelText> annotations;
    bool may;
  };
  const Row rows[] = {
      {"nothing said", {}, {}, true},
      {"skip", {{Text("endpointslice.kubernetes.io/skip-mirror"), Text("true")}}, {}, false},
      {"only true is true",
       {{Text("endpointslice.kubernetes.io/skip-mirror"), Text("1")}},
       {},
       true},
      {"an annotation does not skip",
       {},
       {{Text("endpointslice.kubernetes.io/skip-mirror"), Text("true")}},
       true},
      {"a lock", {}, {{Text("control-plane.alpha.kubernetes.io/leader"), Text("")}}, false},
  };
  for (const Row& row : rows) {
    auto endpoints = endpoints_of("");
    endpoints.labels = labels_of(row.labels);
    endpoints.annotations = labels_of(row.annotations);
    EXPECT_EQ(may_mirror(endpoints), row.may) << row.name;
  }
}

TEST(MirrorWarnings, SayHowManyWereLeftOut) {
  auto warnings = [](std::size_t invalid, std::size_t skipped) {
    MirrorDraft draft;
    draft.addresses_invalid = invalid;
    draft.addresses_skipped = skipped;
    std::string out;
    for (const auto& warning : mirror_warnings(draft, 1000))
      out += std::string(warning.reason) + ": " + warning.message + "\n";
    return out;
  };
  const std::string invalid =
      "InvalidIPAddress: Skipped 2 invalid IP addresses when mirroring to EndpointSlices\n";
  const std::string many =
      "TooManyAddressesToMirror: A max of 1000 addresses can be mirrored to EndpointSlices per "
      "Endpoints subset. 5 addresses were skipped\n";
  EXPECT_EQ(warnings(0, 0), "");
  EXPECT_EQ(warnings(2, 2), invalid);
  EXPECT_EQ(warnings(0, 5), many);
  EXPECT_EQ(warnings(2, 5), invalid + many);
}

}  // namespace
}  // namespace proxima::slices
