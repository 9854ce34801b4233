// SPDX-License-Identifier: Apache-2.0
#include "controller/controller_metrics.h"

#include <gtest/gtest.h>

#include "support/kube_records.h"

namespace proxima::controller {
namespace {

class ControllerMetricsTest : public ::testing::Test {
 protected:
  // The lines that begin so, without the comments.
  std::string lines(const std::string& begin) {
    std::string found;
    const std::string text = registry_.render();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = text.find('\n', at);
      const std::string line = text.substr(at, end - at);
      if (line.starts_with(begin)) found += line + "\n";
      at = end + 1;
    }
    return found;
  }
  DecisionEntry entry(std::size_t endpoints, const std::string& distribution) {
    DecisionEntry made;
    made.endpoints = endpoints;
    made.slices = 2;
    made.slices_wanted = 1;
    made.traffic_distribution = distribution;
    return made;
  }

  telemetry::MetricsRegistry registry_;
  ControllerMetrics metrics_{registry_};
  DecisionBook book_;
};

TEST_F(ControllerMetricsTest, HaveUpstreamsNamesTypesAndHelp) {
  metrics_.synced(SyncResult::Success);
  metrics_.wrote(SliceOperation::Create);
  const struct {
    const char* name;
    const char* type;
    const char* help;
  } rows[] = {
      {"endpoints_added_per_sync", "histogram", "Number of endpoints added on each Service sync"},
      {"endpoints_removed_per_sync", "histogram",
       "Number of endpoints removed on each Service sync"},
      {"endpoints_desired", "gauge", "Number of endpoints desired"},
      {"num_endpoint_slices", "gauge", "Number of EndpointSlices"},
      {"desired_endpoint_slices", "gauge",
       "Number of EndpointSlices that would exist with perfect endpoint allocation"},
      {"changes", "counter", "Number of EndpointSlice changes"},
      {"syncs", "counter", "Number of EndpointSlice syncs"},
  };
  for (const auto& row : rows) {
    const std::string name = std::string("endpoint_slice_controller_") + row.name + " ";
    EXPECT_EQ(lines("# HELP " + name), "# HELP " + name + row.help + "\n");
    EXPECT_EQ(lines("# TYPE " + name), "# TYPE " + name + row.type + "\n");
  }
}

TEST_F(ControllerMetricsTest, CountEndpointsInUpstreamsBuckets) {
  slices::FamilyDraft draft;
  draft.endpoints_added = 20;
  metrics_.packed(draft);
  const std::string name = "endpoint_slice_controller_endpoints_added_per_sync_";
  std::string expected;
  for (int bound = 2; bound <= 32768; bound *= 2)
    expected +=
        name + "bucket{le=\"" + std::to_string(bound) + "\"} " + (bound < 20 ? "0" : "1") + "\n";
  EXPECT_EQ(lines(name),
            name + "count 1\n" + name + "sum 20\n" + expected + name + "bucket{le=\"+Inf\"} 1\n");
}

TEST_F(ControllerMetricsTest, LabelChangesByTheModeThatUpstreamSees) {
  testing::RecordMaker make;
  auto service = make.service("shop/web", "app=web");
  service->traffic_distribution = Text("PreferClose");
  metrics_.changed(*service, policy::PolicyKind::PreferSameZone, 1);
  service->annotations = make.labels("service.kubernetes.io/topology-mode=Auto");
  metrics_.changed(*service, policy::PolicyKind::Auto, 2);
  service->annotations = make.labels(
      "service.kubernetes.io/topology-aware-hints=off,service.kubernetes.io/topology-mode=Auto");
  service->traffic_distribution = Text("Anything");
  metrics_.changed(*service, policy::PolicyKind::ClusterWide, 4);
  EXPECT_EQ(lines("endpoint_slice_controller_endpointslices_changed_per_sync_sum"),
            "endpoint_slice_controller_endpointslices_changed_per_sync_sum"
            "{approach=\"auto\",topology=\"Auto\",traffic_distribution=\"\"} 2\n"
            "endpoint_slice_controller_endpointslices_changed_per_sync_sum"
            "{approach=\"prefer-same-zone\",topology=\"Disabled\",traffic_distribution="
            "\"PreferClose\"} 1\n"
            "endpoint_slice_controller_endpointslices_changed_per_sync_sum"
            "{approach=\"random\",topology=\"Disabled\",traffic_distribution=\"\"} 4\n");
}

TEST_F(ControllerMetricsTest, SumWhatIsInTheBook) {
  book_.put("shop/a", entry(3, "PreferClose"));
  book_.put("shop/b", entry(4, ""));
  metrics_.show(book_);
  EXPECT_EQ(lines("endpoint_slice_controller_endpoints_desired"),
            "endpoint_slice_controller_endpoints_desired 7\n");
  EXPECT_EQ(lines("endpoint_slice_controller_num_endpoint_slices"),
            "endpoint_slice_controller_num_endpoint_slices 4\n");
  EXPECT_EQ(lines("endpoint_slice_controller_desired_endpoint_slices"),
            "endpoint_slice_controller_desired_endpoint_slices 2\n");
  const std::string by_value =
      "endpoint_slice_controller_services_count_by_traffic_distribution"
      "{traffic_distribution=\"PreferClose\"} ";
  EXPECT_EQ(lines("endpoint_slice_controller_services_count"), by_value + "1\n");
  book_.erase("shop/a");
  metrics_.show(book_);
  EXPECT_EQ(lines("endpoint_slice_controller_services_count"), by_value + "0\n")
      << "a value once seen stays";
}

TEST_F(ControllerMetricsTest, TellWhatWasDecidedAndForgetWhatIsGone) {
  DecisionEntry made = entry(2, "");
  slices::FamilyDecision family;
  family.policy = policy::PolicyKind::PreferSameZone;
  family.local_share = 0.5;
  family.zones = {{.zone = "a", .endpoints = 2, .hinted = 2, .predicted_overload = 0.25}};
  made.decision.families = {family};
  made.decision.accepted = false;
  made.decision.not_accepted = "unknown_policy";
  book_.put("shop/a", std::move(made));
  metrics_.show(book_);
  const std::string labels = "{address_type=\"IPv4\",namespace=\"shop\",service=\"a\"";
  EXPECT_EQ(lines("proxima_service_hinted_endpoints"),
            "proxima_service_hinted_endpoints" + labels + ",zone=\"a\"} 2\n");
  EXPECT_EQ(lines("proxima_service_predicted_overload_ratio"),
            "proxima_service_predicted_overload_ratio" + labels + ",zone=\"a\"} 0.25\n");
  EXPECT_EQ(lines("proxima_service_predicted_local_share_ratio"),
            "proxima_service_predicted_local_share_ratio" + labels + "} 0.5\n");
  EXPECT_NE(lines("proxima_service_policy_info").find("policy=\"prefer-same-zone\""),
            std::string::npos);
  EXPECT_EQ(lines("proxima_refused_services"),
            "proxima_refused_services{reason=\"unknown_policy\"} 1\n");
  book_.erase("shop/a");
  metrics_.show(book_);
  EXPECT_EQ(lines("proxima_"),
            "proxima_internal_error_services 0\nproxima_service_internal_errors_total 0\n");
}

TEST_F(ControllerMetricsTest, CountServicesThatAnInternalErrorStopped) {
  DecisionEntry stopped = entry(1, "");
  stopped.broke_down = true;
  book_.put("shop/a", std::move(stopped));
  book_.put("shop/b", entry(1, ""));
  metrics_.broke_down();
  metrics_.broke_down();
  metrics_.show(book_);
  EXPECT_EQ(lines("proxima_internal_error_services"), "proxima_internal_error_services 1\n");
  EXPECT_EQ(lines("proxima_service_internal_errors_total"),
            "proxima_service_internal_errors_total 2\n");
}

}  // namespace
}  // namespace proxima::controller
