// SPDX-License-Identifier: Apache-2.0
#include "proxy/pending_changes.h"

#include <gtest/gtest.h>

#include "support/route_world.h"

namespace proxima::proxy {
namespace {

using Changes = PendingChanges<kube::ServiceRecord>;

// Versions of one Service, told as they come: "-1 12" is added, then changed from 1 to 2.
struct PendingRow {
  const char* name;
  std::vector<const char*> told;
  const char* pending;
};

const PendingRow kPendingRows[] = {
    {"one change is itself", {"12"}, "12"},
    {"several are one, from the first to the last", {"12", "23", "34"}, "14"},
    {"what was added and changed is added", {"-1", "12"}, "-2"},
    {"what was changed and deleted is deleted", {"12", "2-"}, "1-"},
    {"what came and went was never there", {"-1", "1-"}, ""},
    {"what went and came back is changed", {"1-", "-2"}, "12"},
};

TEST(PendingChanges, AreOneAnObject) {
  std::map<char, Ref<const kube::ServiceRecord>> versions = {{'-', {}}};
  for (const char version : {'1', '2', '3', '4'})
    versions[version] = test::service("shop/web ip=10.96.0.1 port=http:80");
  const auto letter = [&](const Ref<const kube::ServiceRecord>& record) {
    for (const auto& [name, version] : versions)
      if (version == record) return name;
    return '?';
  };
  for (const PendingRow& row : kPendingRows) {
    Changes changes;
    for (const char* told : row.told) changes.note({versions[told[0]], versions[told[1]]});
    std::string pending;
    for (const auto& change : changes.take()) {
      pending += letter(change.before);
      pending += letter(change.now);
    }
    EXPECT_EQ(pending, row.pending) << row.name;
    EXPECT_EQ(changes.size(), 0U) << row.name;
  }
}

}  // namespace
}  // namespace proxima::proxy
