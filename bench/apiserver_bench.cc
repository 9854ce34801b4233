// SPDX-License-Identifier: Apache-2.0
// The embedded API server over TLS on the loopback, with its clients in the same process: writes to
// disk, watches, and a list of 150,000 Pods.
// Bars: 5,000 durable writes for each second of one core; 100 watchers that each see all of 10,000
// changes in order; a list that takes far less memory than its size.
//
//   apiserver_bench [list|store|writes|watches]
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "apiserver/server.h"
#include "apiserver/store.h"
#include "base/clock.h"
#include "net/http_client.h"
#include "processor_time.h"

namespace proxima {
namespace {

constexpr std::size_t kWrites = 20'000;
constexpr std::size_t kWriters = 64;
constexpr std::size_t kWatchers = 100;
constexpr std::size_t kChanges = 10'000;
constexpr std::size_t kListedPods = 150'000;
constexpr double kLeastWritesPerSecond = 5'000;
constexpr double kMostListGrowth = 0.2;  // of the list's size

bool all_well = true;

void bar(bool reached, const char* what) {
  if (reached) return;
  std::printf("  missed: %s\n", what);
  all_well = false;
}

double seconds_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

std::string read_file(const std::string& path) {
  std::ifstream in(path);
  std::stringstream out;
  out << in.rdbuf();
  return out.str();
}

double megabytes_of(const char* field) {
  std::ifstream in("/proc/self/status");
  std::string line;
  while (std::getline(in, line))
    if (line.starts_with(field))
      return std::strtod(line.c_str() + line.find(':') + 1, nullptr) / 1024;
  return 0;
}

// Sets the peak that VmHWM tells back to what is used now.
void forget_peak() { std::ofstream("/proc/self/clear_refs") << "5"; }

// About 2.5 KB, as a Pod of a Deployment that runs.
std::string pod_text(std::size_t number, const std::string& revision) {
  const std::string name = "web-7d9c5b8f6d-" + std::to_string(number);
  const std::string uid = "00000000-0000-4000-8000-" + std::to_string(100'000'000'000 + number);
  std::string meta = R"({"name":")" + name + R"(","generateName":"web-7d9c5b8f6d-",)" +
                     R"("namespace":"default","uid":")" + uid + "\"";
  if (!revision.empty()) meta += R"(,"resourceVersion":")" + revision + "\"";
  meta += R"(,"creationTimestamp":"2026-01-01T00:00:00Z","labels":{"app":"web",)"
          R"("pod-template-hash":"7d9c5b8f6d"}})";
  std::string env;
  for (int i = 0; i < 12; ++i)
    env += std::string(i > 0 ? "," : "") + R"({"name":"VARIABLE_)" + std::to_string(i) +
           R"(","value":"a value that is neither long nor short, number )" + std::to_string(i) +
           "\"}";
  const std::string ip = "10." + std::to_string(number / 65536 % 256) + "." +
                         std::to_string(number / 256 % 256) + "." + std::to_string(number % 256);
  return R"({"kind":"Pod","apiVersion":"v1","metadata":)" + meta +
         R"(,"spec":{"containers":[{"name":"web","image":"registry.example/web:1.2.3","ports":[)"
         R"({"name":"http","containerPort":8080,"protocol":"TCP"}],"env":[)" +
         env +
         R"(],"resources":{"requests":{"cpu":"100m","memory":"128Mi"}},"imagePullPolicy":)"
         R"("IfNotPresent","terminationMessagePath":"/dev/termination-log",)"
         R"("terminationMessagePolicy":"File"}],"restartPolicy":"Always",)"
         R"("terminationGracePeriodSeconds":30,"dnsPolicy":"ClusterFirst","nodeName":"node-)" +
         std::to_string(number % 5000) +
         R"(","securityContext":{},"schedulerName":"default-scheduler","enableServiceLinks":true},)"
         R"("status":{"phase":"Running","podIP":")" +
         ip + R"(","podIPs":[{"ip":")" + ip + R"("}],"qosClass":"Burstable"}})";
}

// A server on a directory of its own, gone afterwards.
class Cluster {
 public:
  Cluster() {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "proxima-bench-XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
  }
  ~Cluster() {
    if (server_) {
      server_->stop();
      loop_.join();
      server_.reset();
    }
    std::filesystem::remove_all(directory_);
  }
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  const std::string& directory() const { return directory_; }

  void start() {
    apiserver::ServerOptions options;
    options.data_directory = directory_;
    options.port = 0;
    auto made = apiserver::Server::create(std::move(options), clock_);
    if (!made) {
      std::fprintf(stderr, "%s\n", made.error().message.c_str());
      std::exit(1);
    }
    server_ = std::move(made).value();
    loop_ = std::thread([this] {
      server_->run();
      loop_seconds_ = processor_seconds(RUSAGE_THREAD);
    });
    token_ = read_file(directory_ + "/pki/admin.token");
    token_.pop_back();
  }
  // Processor time of the loop's thread, once it has ended.
  double stop() {
    server_->stop();
    loop_.join();
    server_.reset();
    return loop_seconds_;
  }

  std::unique_ptr<net::HttpClient> client() const {
    net::HttpClientOptions options;
    options.origin = server_->url();
    options.tls.ca_pem = read_file(directory_ + "/pki/ca.crt");
    return std::move(net::HttpClient::create(std::move(options))).value();
  }
  net::HttpRequest request(const std::string& method, const std::string& target,
                           const std::string& body = {}) const {
    net::HttpRequest out{method, target, {}, body};
    out.headers.add("Authorization", "Bearer " + token_);
    out.headers.add("Accept-Encoding", "identity");
    if (!body.empty()) out.headers.add("Content-Type", "application/json");
    return out;
  }

 private:
  SystemClock clock_;
  std::string directory_;
  std::string token_;
  std::unique_ptr<apiserver::Server> server_;
  std::thread loop_;
  double loop_seconds_ = 0;
};

bool send(net::HttpClient& client, const net::HttpRequest& request, int wanted) {
  const auto answer = net::fetch(client, request, {}, {});
  if (answer && answer->status == wanted) return true;
  std::fprintf(stderr, "%s\n", answer ? answer->body.c_str() : answer.error().message.c_str());
  return false;
}

// Several clients at once, so that writes come in batches.
void write_many(const Cluster& cluster, std::size_t count) {
  std::atomic<std::size_t> next = 0;
  std::vector<std::thread> writers;
  for (std::size_t i = 0; i < kWriters; ++i) {
    writers.emplace_back([&] {
      const auto client = cluster.client();
      for (std::size_t number = next++; number < count; number = next++) {
        const auto request =
            cluster.request("POST", "/api/v1/namespaces/default/pods", pod_text(number, ""));
        if (!send(*client, request, 201)) std::exit(1);
      }
    });
  }
  for (std::thread& writer : writers) writer.join();
}

void measure_store() {
  Cluster cluster;
  auto store =
      std::move(apiserver::Store::open({.path = cluster.directory() + "/bench.db"})).value();
  const double begin = seconds_now();
  const double busy = processor_seconds(RUSAGE_SELF);
  for (std::size_t i = 0; i < kWrites; ++i) {
    const apiserver::Revision revision = store->next_revision();
    store->put({apiserver::Kind::Pod, "default", "p" + std::to_string(i)},
               std::make_shared<apiserver::StoredObject>(
                   apiserver::StoredObject{revision, pod_text(i, std::to_string(revision))}));
  }
  store.reset();  // everything is durable now
  const double taken = seconds_now() - begin;
  std::printf(
      "store: %zu objects of %zu bytes durable in %.2f s: %.0f a second, %.0f for a second "
      "of processor time\n",
      kWrites, pod_text(1, "1").size(), taken, double(kWrites) / taken,
      double(kWrites) / (processor_seconds(RUSAGE_SELF) - busy));
}

void measure_writes() {
  Cluster cluster;
  cluster.start();
  const double begin = seconds_now();
  write_many(cluster, kWrites);
  const double taken = seconds_now() - begin;
  const double loop = cluster.stop();
  std::printf(
      "writes: %zu Pods over TLS by %zu clients in %.2f s: %.0f a second; the server's "
      "thread does %.0f for a second of one core\n",
      kWrites, kWriters, taken, double(kWrites) / taken, double(kWrites) / loop);
  bar(double(kWrites) / loop >= kLeastWritesPerSecond, "5,000 durable writes a second of one core");
}

// Reads a watch until it has seen `wanted` changes; whether their revisions only went up.
bool follow(const Cluster& cluster, std::size_t wanted, std::atomic<std::size_t>& ready) {
  const auto client = cluster.client();
  const net::Cancellation cancellation;
  auto stream = client->open(
      cluster.request("GET",
                      "/api/v1/namespaces/default/pods?watch=1&sendInitialEvents=false&"
                      "resourceVersionMatch=NotOlderThan"),
      {}, cancellation);
  if (!stream || (*stream)->status() != 200) return false;
  ++ready;
  constexpr std::string_view kMark = "\"resourceVersion\":\"";
  std::string rest;
  std::uint64_t last = 0;
  for (std::size_t seen = 0; seen < wanted;) {
    const auto piece = (*stream)->read();
    if (!piece || piece->empty()) return false;
    rest += *piece;
    std::size_t begin = 0;
    for (std::size_t end = rest.find('\n'); end != std::string::npos;
         end = rest.find('\n', begin)) {
      const std::size_t at = rest.find(kMark, begin);
      const std::uint64_t revision = std::strtoull(rest.c_str() + at + kMark.size(), nullptr, 10);
      if (at > end || revision <= last) return false;
      last = revision;
      ++seen;
      begin = end + 1;
    }
    rest.erase(0, begin);
  }
  return true;
}

void measure_watches() {
  Cluster cluster;
  cluster.start();
  std::atomic<std::size_t> ready = 0;
  std::atomic<std::size_t> right = 0;
  std::vector<std::thread> watchers;
  for (std::size_t i = 0; i < kWatchers; ++i)
    watchers.emplace_back([&] { right += follow(cluster, kChanges, ready) ? 1U : 0U; });
  while (ready < kWatchers) std::this_thread::yield();
  const double begin = seconds_now();
  write_many(cluster, kChanges);
  for (std::thread& watcher : watchers) watcher.join();
  const double taken = seconds_now() - begin;
  std::printf(
      "watches: %zu of %zu saw all %zu changes in order, %.2f s after the first write: "
      "%.0f events a second\n",
      right.load(), kWatchers, kChanges, taken, double(kChanges * kWatchers) / taken);
  bar(right == kWatchers, "every watcher sees every change in order");
}

void fill(const std::string& path) {
  auto store =
      std::move(apiserver::Store::open(
                    {.path = path, .durability = apiserver::StoreOptions::Durability::Normal}))
          .value();
  for (std::size_t i = 0; i < kListedPods; ++i) {
    const apiserver::Revision revision = store->next_revision();
    store->put({apiserver::Kind::Pod, "default", "web-7d9c5b8f6d-" + std::to_string(i)},
               std::make_shared<apiserver::StoredObject>(
                   apiserver::StoredObject{revision, pod_text(i, std::to_string(revision))}));
  }
}

void measure_list() {
  Cluster cluster;
  fill(apiserver::database_path(cluster.directory()));
  const double begin_start = seconds_now();
  cluster.start();
  const double started = seconds_now() - begin_start;
  const auto client = cluster.client();
  const net::Cancellation cancellation;
  forget_peak();
  const double before = megabytes_of("VmRSS");
  const double begin = seconds_now();
  auto stream = client->open(cluster.request("GET", "/api/v1/pods"), {}, cancellation);
  std::size_t bytes = 0;
  while (stream) {
    const auto piece = (*stream)->read();
    if (!piece || piece->empty()) break;
    bytes += piece->size();
  }
  const double taken = seconds_now() - begin;
  const double size = double(bytes) / 1e6;
  const double growth = megabytes_of("VmHWM") - before;
  std::printf(
      "list: %zu Pods, %.0f MB over TLS in %.2f s: %.0f MB/s; memory grew by %.1f MB from "
      "%.0f MB; the server had started in %.2f s\n",
      kListedPods, size, taken, size / taken, growth, before, started);
  bar(bytes > kListedPods * 1000, "the whole list");
  bar(growth < kMostListGrowth * size, "memory growth far below the list's size");
}

}  // namespace
}  // namespace proxima

int main(int argc, char** argv) {
  const std::string only = argc > 1 ? argv[1] : "";
  const auto wanted = [&only](const char* name) { return only.empty() || only == name; };
  if (wanted("list")) proxima::measure_list();
  if (wanted("store")) proxima::measure_store();
  if (wanted("writes")) proxima::measure_writes();
  if (wanted("watches")) proxima::measure_watches();
  return proxima::all_well ? 0 : 1;
}
