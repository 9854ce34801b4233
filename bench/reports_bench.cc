// SPDX-License-Identifier: Apache-2.0
// What reports of node proxies cost the controller in a cluster of 5,000 nodes and 10,000 Services:
// taking one over TLS with a token that was reviewed before, keeping what it says, and looking at
// every Service. The bar: all nodes reporting as often as they may take 10 % of a processor.
//
//   reports_bench [REPORTS]
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "controller/honored_conditions.h"
#include "kube/connect.h"
#include "processor_time.h"
#include "reports/report_server.h"

namespace {

using namespace proxima;
using std::chrono::seconds;

constexpr std::size_t kNodes = 5'000;
constexpr std::size_t kServices = 10'000;
constexpr std::size_t kCountedServices = 200;  // with traffic from a node since its last report
constexpr std::size_t kSenders = 4;
constexpr double kMostShare = 0.1;

// Answers every review with yes.
class WillingApi final : public kube::KubeApi {
 public:
  Result<kube::ApiResponse> send(const kube::ApiRequest&, const net::Cancellation&) override {
    return kube::ApiResponse{201,
                             {},
                             R"({"status":{"authenticated":true,"allowed":true,)"
                             R"("user":{"username":"proxy"}}})"};
  }
  Result<std::unique_ptr<net::HttpStream>> open(const kube::ApiRequest&, std::chrono::milliseconds,
                                                const net::Cancellation&) override {
    return Error{ErrorCode::Unsupported, "not used"};
  }
};

reports::NodeReport report_of(std::size_t node, std::uint64_t sequence) {
  reports::NodeReport report{.node = "node-" + std::to_string(node),
                             .instance = "i",
                             .sequence = sequence,
                             .slices_version = 1'000'000 + sequence,
                             .unreadable = {},
                             .connections = {}};
  for (std::size_t i = 0; i < kCountedServices; ++i)
    report.connections.push_back(
        {"shop/service-" + std::to_string((node * 7 + i * 31) % kServices), 40, 30});
  return report;
}

void fill(controller::FollowBook& book, Clock::SteadyTime now) {
  for (std::size_t i = 0; i < kNodes; ++i) {
    auto node = make_ref<kube::NodeRecord>();
    node->meta.name = Text("node-" + std::to_string(i));
    node->ready = true;
    book.change_node({{}, node, 0}, now);
  }
  for (std::size_t i = 0; i < kServices; ++i) {
    auto slice = make_ref<kube::EndpointSliceRecord>();
    slice->meta.ns = Text("shop");
    slice->service = Text("service-" + std::to_string(i));
    book.change_slice({{}, slice, 1'000'000 + i}, now);
  }
}

double megabytes() {
  FILE* file = std::fopen("/proc/self/statm", "r");
  long total = 0, resident = 0;
  const bool read = file != nullptr && std::fscanf(file, "%ld %ld", &total, &resident) == 2;
  if (file != nullptr) std::fclose(file);
  return read ? static_cast<double>(resident) * 4096 / 1e6 : 0;
}

// Milliseconds of this process's processor time for one report, both ends and TLS included.
double over_tls(std::size_t reports, controller::FollowBook& book, Clock& clock) {
  WillingApi api;
  telemetry::MetricsRegistry metrics;
  auto server = reports::ReportServer::start(
      {.address = "127.0.0.1", .advertised = "127.0.0.1"},
      {.api = api, .clock = clock, .metrics = metrics, .take = [&](const auto& report) {
         return book.report(report, clock.steady_now());
       }});
  if (!server) return std::printf("%s\n", server.error().message.c_str()), -1;
  kube::Connection connection;
  connection.cluster.server = (*server)->reached_at().url;
  connection.cluster.ca_pem = (*server)->reached_at().ca_pem;
  connection.user.token = "token";
  std::atomic<std::size_t> failed = 0;
  const double before = processor_seconds();
  std::vector<std::thread> senders;
  for (std::size_t sender = 0; sender < kSenders; ++sender)
    senders.emplace_back([&, sender] {
      auto client = kube::connect(connection, {}, {.limits = {.qps = 0}, .max_retries = 0}, clock);
      if (!client) return void(++failed);
      for (std::size_t i = sender; i < reports; i += kSenders) {
        kube::ApiRequest request;
        request.method = "POST";
        request.path = reports::kReportPath;
        request.body = render(report_of(i % kNodes, 2));
        const auto answer = (*client)->send(request, {});
        if (!answer || !answer->ok()) ++failed;
      }
    });
  for (std::thread& sender : senders) sender.join();
  if (failed > 0) std::printf("%zu reports failed\n", failed.load());
  return (processor_seconds() - before) * 1000 / static_cast<double>(reports);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t reports = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 2'000;
  SystemClock clock;
  const double empty = megabytes();
  controller::FollowBook book(clock.steady_now());
  fill(book, clock.steady_now());
  double began = processor_seconds();
  for (std::size_t i = 0; i < kNodes; ++i) book.report(report_of(i, 1), clock.steady_now());
  const double take = (processor_seconds() - began) * 1e6 / kNodes;
  const double held = megabytes() - empty;

  controller::HonoredConditions honored(book);
  const kube::ServiceRecord service;
  began = processor_seconds();
  std::size_t news = 0;
  for (std::size_t i = 0; i < kServices; ++i)
    news += honored.propose("shop/service-" + std::to_string(i), service, 0.9, clock.steady_now())
                .is_news;
  const double look = (processor_seconds() - began) * 1000;

  const double sent = over_tls(reports, book, clock);
  if (sent < 0 || news != kServices) return 1;
  std::printf(
      "5,000 nodes, 10,000 Services: %.1f MB; %.0f us to keep a report of %zu Services, "
      "%.1f ms to look at every Service\n",
      held, take, kCountedServices, look);
  // Reports a second, and every Service each 5 seconds.
  const double share = (controller::kReportsPerSecondMax * sent + look / 5) / 1000;
  std::printf(
      "over TLS %.2f ms a report, both ends together: %.0f %% of a processor at %lld a "
      "second (bar: %.0f %%)\n",
      sent, share * 100, static_cast<long long>(controller::kReportsPerSecondMax),
      kMostShare * 100);
  return share <= kMostShare ? 0 : 1;
}
