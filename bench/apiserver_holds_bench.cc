// SPDX-License-Identifier: Apache-2.0
// How long single requests hold the one loop of the embedded API server: the longest step of each,
// by processor time of the thread, without sockets and TLS.
// Bar: no step longer than 50 ms. Exits with 1 when one is.
//
//   apiserver_holds_bench [WORD]    only requests whose name has WORD
#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "apiserver/api_handler.h"
#include "apiserver/discovery.h"
#include "apiserver/first_objects.h"
#include "apiserver/garbage_collector.h"
#include "apiserver/namespace_cleaner.h"

namespace proxima::apiserver {
namespace {

constexpr double kMostMilliseconds = 50;
constexpr std::size_t kListedPods = 150'000;
constexpr std::size_t kPieceBytes = 64U << 10U;

double thread_milliseconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return double(now.tv_sec) * 1e3 + double(now.tv_nsec) / 1e6;
}

// "first,second,…": `count` texts made by `item`.
std::string joined(std::size_t count, const std::function<std::string(std::size_t)>& item) {
  std::string out;
  for (std::size_t i = 0; i < count; ++i) out += (i == 0 ? "" : ",") + item(i);
  return out;
}

std::string number(std::size_t i) { return std::to_string(i); }

struct Request {
  std::string method;
  std::string target;
  std::string body;
  std::string content_type = "application/json";
  std::string accept = "application/json";
};

struct Held {
  int status = 0;
  double longest = 0;
  std::size_t steps = 0;
};

class Bench {
 public:
  Bench() {
    store_ = std::move(Store::open({.path = ":memory:"})).value();
    allocator_ = std::move(ServiceAllocator::create({})).value();
    registry_ = std::make_unique<ObjectRegistry>(*store_, *allocator_, clock_, 1);
    collector_ = std::make_unique<GarbageCollector>(*registry_, [] {});
    cleaner_ = std::make_unique<NamespaceCleaner>(*registry_, [] {});
    handler_ = std::make_unique<ApiHandler>(*store_, *registry_, clock_,
                                            ApiHandlerOptions{{"admin", "reader"}, "host:1"});
    prepare_discovery();
    static_cast<void>(
        make_first_objects(*registry_, {{"10.96.0.0/16"}, "127.0.0.1", 6443}, clock_));
  }

  Held ask(const Request& asked) {
    net::HttpRequest request{asked.method, asked.target, {}, asked.body};
    request.headers.add("Authorization", "Bearer admin");
    request.headers.add("Content-Type", asked.content_type);
    request.headers.add("Accept", asked.accept);
    Held held;
    net::Reply reply;
    step(held, [&] { reply = handler_->handle(request); });
    while (reply.ready && !reply.ready()) std::this_thread::yield();
    if (reply.settle) reply.settle(reply);
    held.status = reply.response.status;
    if (reply.stream) pull_all(held, *reply.stream);
    return held;
  }

  void fill_pods() {
    for (std::size_t i = 0; i < kListedPods; ++i) {
      const Revision revision = store_->next_revision();
      store_->put({Kind::Pod, "default", "web-" + number(i)},
                  std::make_shared<StoredObject>(StoredObject{revision, pod_text(i, revision)}));
    }
  }

 private:
  static void step(Held& held, const std::function<void()>& work) {
    const double begin = thread_milliseconds();
    work();
    held.longest = std::max(held.longest, thread_milliseconds() - begin);
    ++held.steps;
  }

  void pull_all(Held& held, net::BodySource& body) {
    for (;;) {
      std::string piece;
      net::Pull pulled{};
      step(held, [&] { pulled = body.pull(piece, kPieceBytes); });
      if (pulled == net::Pull::End || pulled == net::Pull::Cut) return;
      if (pulled == net::Pull::Wait && body.next_deadline() > clock_.steady_now())
        std::this_thread::yield();
    }
  }

  static std::string pod_text(std::size_t i, Revision revision) {
    return R"({"kind":"Pod","apiVersion":"v1","metadata":{"name":"web-)" + number(i) +
           R"(","namespace":"default","uid":"u)" + number(i) + R"(","resourceVersion":")" +
           number(revision) +
           R"(","creationTimestamp":"2026-01-01T00:00:00Z","labels":{"app":"web","n":")" +
           number(i) + R"("}},"spec":{"nodeName":"n1","containers":[{"name":"c","image":"i",)" +
           R"("env":[)" +
           joined(20,
                  [](std::size_t j) { return R"({"name":"E)" + number(j) + R"(","value":"v"})"; }) +
           R"(]}]},"status":{"phase":"Running","podIP":"10.0.0.1","containerStatuses":[{"name":"c",)" +
           R"("ready":true,"restartCount":0}]}})";
  }

  SystemClock clock_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<ServiceAllocator> allocator_;
  std::unique_ptr<ObjectRegistry> registry_;
  std::unique_ptr<GarbageCollector> collector_;
  std::unique_ptr<NamespaceCleaner> cleaner_;
  std::unique_ptr<ApiHandler> handler_;
};

constexpr const char* kMaps = "/api/v1/namespaces/default/configmaps";
constexpr const char* kPods = "/api/v1/namespaces/default/pods";
constexpr const char* kServices = "/api/v1/namespaces/default/services";
constexpr const char* kSlices = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
constexpr const char* kTable = "application/json;as=Table;v=v1;g=meta.k8s.io";
constexpr const char* kJsonPatch = "application/json-patch+json";
constexpr const char* kMergePatch = "application/merge-patch+json";
constexpr const char* kStrategicPatch = "application/strategic-merge-patch+json";

std::string config_map(const std::string& name, const std::string& data,
                       const std::string& labels = {}) {
  return R"({"metadata":{"name":")" + name + R"(","labels":{)" + labels + R"(}},"data":{)" + data +
         "}}";
}

std::string texts(std::size_t count, const char* prefix = "k") {
  return joined(count, [&](std::size_t i) { return "\"" + (prefix + number(i)) + R"(":"v")"; });
}

std::string service(const std::string& name, std::size_t ports, const char* fields) {
  return R"({"metadata":{"name":")" + name + R"("},"spec":{"type":"NodePort","ports":[)" +
         joined(ports,
                [&](std::size_t i) { return R"({"name":"p)" + number(i) + "\"," + fields + "}"; }) +
         "]}}";
}

std::string slice(std::size_t endpoints) {
  return R"({"metadata":{"name":"slice"},"addressType":"IPv4","ports":[{"port":80}],"endpoints":[)" +
         joined(endpoints,
                [](std::size_t i) {
                  return R"({"addresses":["10.1.)" + number(i / 250) + "." + number(i % 250 + 1) +
                         R"("],"conditions":{"ready":true,"serving":true,"terminating":false},)" +
                         R"("targetRef":{"kind":"Pod","namespace":"default","name":"web-)" +
                         number(i) + R"(","uid":"u"},"nodeName":"n1","zone":"a",)" +
                         R"("hints":{"forZones":[{"name":"a"}],"forNodes":[{"name":"n1"}]}})";
                }) +
         "]}";
}

std::string pod(const std::string& name, std::size_t variables) {
  return R"({"metadata":{"name":")" + name +
         R"("},"spec":{"containers":[{"name":"c","image":"i","env":[)" +
         joined(variables,
                [](std::size_t i) { return R"({"name":"E)" + number(i) + R"(","value":"v"})"; }) +
         "]}]}}";
}

std::string operations(std::size_t count, const std::function<std::string(std::size_t)>& path) {
  return "[" +
         joined(count,
                [&](std::size_t i) { return R"({"op":"remove","path":")" + path(i) + R"("})"; }) +
         "]";
}

void fill_objects(Bench& bench) {
  bench.ask({"POST", kMaps, config_map("large", texts(20'000))});
  bench.ask({"POST", kMaps, config_map("long", R"("k":")" + std::string(1'000'000, 'x') + '"')});
  bench.ask({"POST", kPods, pod("many", 7'500)});
  bench.ask({"POST", kPods, pod("some", 2'500)});
  bench.ask({"POST", kSlices, slice(1'000)});
}

// Each with what it is called; requests that change something are refused or run dry. Returns the
// milliseconds of the longest step.
double measure(Bench& bench, const std::string& only) {
  const std::string large = std::string(kMaps) + "/large?dryRun=All";
  const std::string many = std::string(kPods) + "/many?dryRun=All";
  const std::string repeated =
      joined(400, [](std::size_t) { return R"({"name":"c","env":[{"name":"E1","value":"w"}]})"; });
  const std::string requirements =
      joined(6'000, [](std::size_t i) { return "a" + number(i) + "!%3Db"; });
  const struct {
    const char* name;
    Request request;
  } rows[] = {
      {"100,000 bad label keys", {"POST", kMaps, config_map("a", "", texts(100'000, "-"))}},
      {"20,000 bad label keys", {"POST", kMaps, config_map("a", "", texts(20'000, "-"))}},
      {"30,000 bad ports", {"POST", kServices, service("a", 30'000, R"("port":0)")}},
      {"6,000 bad ports", {"POST", kServices, service("a", 6'000, R"("port":0)")}},
      {"2,700 node ports",
       {"POST", std::string(kServices) + "?dryRun=All", service("a", 2'700, R"("port":80)")}},
      {"900 owners, all controllers",
       {"POST", kMaps,
        R"({"metadata":{"name":"a","ownerReferences":[)" +
            joined(900,
                   [](std::size_t i) {
                     return R"({"apiVersion":"v1","kind":"Pod","name":"a","uid":")" + number(i) +
                            R"(","controller":true})";
                   }) +
            "]}}"}},
      {"a slice of 1,000 endpoints",
       {"PUT", std::string(kSlices) + "/slice?dryRun=All", slice(1'000)}},
      {"20,000 keys", {"POST", std::string(kMaps) + "?dryRun=All", config_map("b", texts(20'000))}},
      {"20,000 keys again", {"PUT", large, config_map("large", texts(20'000, "j"))}},
      {"a text of 1 MB",
       {"POST", std::string(kMaps) + "?dryRun=All",
        config_map("b", R"("k":")" + std::string(1'000'000, 'x') + '"')}},
      {"a text of 3 MB",
       {"POST", kMaps, config_map("b", R"("k":")" + std::string(3'000'000, 'x') + '"')}},
      {"3 MB of zeros",
       {"POST", kMaps, R"({"data":[)" + joined(1'500'000, [](std::size_t) { return "0"; }) + "]}"}},
      {"120 kB of YAML",
       {"POST", std::string(kMaps) + "?dryRun=All",
        "metadata: {name: y}\ndata: {" +
            joined(10'000, [](std::size_t i) { return "k" + number(i) + ": v"; }) + "}",
        "application/yaml"}},
      {"JSON patch: 5,000 of 20,000 keys",
       {"PATCH", large, operations(5'000, [](std::size_t i) { return "/data/k" + number(i); }),
        kJsonPatch}},
      {"JSON patch: 5,000 from the front",
       {"PATCH", many, operations(5'000, [](std::size_t) { return "/spec/containers/0/env/0"; }),
        kJsonPatch}},
      {"merge patch: 20,000 nulls",
       {"PATCH", large,
        R"({"data":{)" +
            joined(20'000, [](std::size_t i) { return "\"k" + number(i) + "\":null"; }) + "}}",
        kMergePatch}},
      {"strategic patch: 2,400 items into 2,500",
       {"PATCH", std::string(kPods) + "/some?dryRun=All",
        R"({"spec":{"containers":[{"name":"c","env":[)" +
            joined(
                2'400,
                [](std::size_t i) { return R"({"name":"E)" + number(i) + R"(","value":"w"})"; }) +
            "]}]}}",
        kStrategicPatch}},
      {"strategic patch: one container 400 times",
       {"PATCH", many, R"({"spec":{"containers":[)" + repeated + "]}}", kStrategicPatch}},
      {"get 1 MB", {"GET", std::string(kMaps) + "/long"}},
      {"get 1 MB pretty", {"GET", std::string(kMaps) + "/long?pretty=true"}},
      {"OpenAPI v2", {"GET", "/openapi/v2"}},
      {"list", {"GET", "/api/v1/pods"}},
      {"list by a label that none has", {"GET", "/api/v1/pods?labelSelector=n%3Dnone"}},
      {"list by 6,000 labels", {"GET", "/api/v1/pods?labelSelector=" + requirements}},
      {"list by a field", {"GET", "/api/v1/pods?fieldSelector=status.podIP%3D10.9.9.9"}},
      {"Table", {"GET", "/api/v1/pods", "", "application/json", kTable}},
      {"first page", {"GET", "/api/v1/pods?limit=500"}},
      {"page of a Table", {"GET", "/api/v1/pods?limit=100000", "", "application/json", kTable}},
      {"delete all Pods", {"DELETE", std::string(kPods) + "?dryRun=All"}},
  };
  double longest = 0;
  for (const auto& row : rows) {
    if (std::string_view(row.name).find(only) == std::string_view::npos) continue;
    const Held held = bench.ask(row.request);
    std::printf("  %-42s %d %8.1f ms in the longest of %zu steps%s\n", row.name, held.status,
                held.longest, held.steps, held.longest > kMostMilliseconds ? "  <- missed" : "");
    std::fflush(stdout);
    longest = std::max(longest, held.longest);
  }
  return longest;
}

}  // namespace
}  // namespace proxima::apiserver

int main(int argc, char** argv) {
  proxima::apiserver::Bench bench;
  proxima::apiserver::fill_objects(bench);
  bench.fill_pods();
  const double longest = proxima::apiserver::measure(bench, argc > 1 ? argv[1] : "");
  const double bar = proxima::apiserver::kMostMilliseconds;
  std::printf("holds: the longest is %.1f ms, the bar %.0f ms%s\n", longest, bar,
              longest > bar ? ": missed" : "");
  return longest > bar ? 1 : 0;
}
