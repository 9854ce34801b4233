// SPDX-License-Identifier: Apache-2.0
// Pods into slices, one core: 10,000 Services of 15 Pods on 5,000 nodes. Cold: no slice is there
// yet. Steady: all are there and nothing is to be done, once with endpoints in our order and once
// in none, as upstream's controller leaves them. Written: the JSON of every slice.
// Bar: cold and steady together in 150 ms.
//
//   packing_bench [REPEATS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "kube/cache.h"
#include "kube/record_reader.h"
#include "slices/pack_family.h"
#include "slices/render_slice.h"
#include "wire/padded_text.h"

namespace {

using namespace proxima;

constexpr std::size_t kNodes = 5'000;
constexpr std::size_t kServices = 10'000;
constexpr std::size_t kPodsOfService = 15;
constexpr double kEndpoints = kServices * kPodsOfService;
constexpr double kMostMilliseconds = 150;

struct Mix {
  std::uint64_t state;
  // splitmix64: the same cluster on every machine.
  std::size_t below(std::size_t n) {
    state += 0x9e3779b97f4a7c15ULL;
    std::uint64_t z = state;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return static_cast<std::size_t>((z ^ (z >> 31)) % n);
  }
};

template <class Record>
class Reader {
 public:
  Ref<const Record> read(const std::string& json) {
    const wire::PaddedText text(json);
    return reader_.object(text.text()).record;
  }

 private:
  kube::RecordReader<Record> reader_{"object", [](const wire::Problem&) { std::abort(); }};
};

std::string number(std::size_t value) { return std::to_string(100'000 + value); }

// Through JSON, so that texts are shared and spread in memory as they are in the program.
struct Cluster {
  Cluster() {
    Mix mix{7};
    Reader<kube::NodeRecord> node_reader;
    std::vector<Ref<const kube::NodeRecord>> all_nodes;
    for (std::size_t n = 0; n < kNodes; ++n)
      all_nodes.push_back(node_reader.read(
          R"({"metadata":{"name":"node-)" + number(n) +
          R"(","labels":{"beta.kubernetes.io/arch":"amd64","beta.kubernetes.io/os":"linux",)"
          R"("kubernetes.io/arch":"amd64","kubernetes.io/hostname":"node-)" +
          number(n) + R"(","kubernetes.io/os":"linux","topology.kubernetes.io/region":"r",)" +
          R"("topology.kubernetes.io/zone":"zone-)" +
          std::string(1, static_cast<char>('a' + mix.below(3))) + R"("}}})"));
    nodes.replace(all_nodes);
    Reader<kube::ServiceRecord> service_reader;
    Reader<kube::PodRecord> pod_reader;
    for (std::size_t s = 0; s < kServices; ++s) {
      const std::string name = "service-" + number(s);
      services.push_back(service_reader.read(
          R"({"metadata":{"name":")" + name + R"(","namespace":"default","uid":"uid-)" + name +
          R"(","labels":{"app":")" + name + R"(","team":"t"}},"spec":{"selector":{"app":")" + name +
          R"("},"clusterIP":"10.96.0.1","ipFamilies":["IPv4"],"ports":[{"name":"http","port":80,)"
          R"("targetPort":"http","protocol":"TCP"}]}})"));
      for (std::size_t p = 0; p < kPodsOfService; ++p)
        pods.push_back(pod_reader.read(pod(name, p, mix)));
    }
  }

  static std::string pod(const std::string& service, std::size_t p, Mix& mix) {
    const std::string name = service + "-7d9f8c6b5d-" + number(p);
    const auto octet = [&] { return std::to_string(mix.below(256)); };
    return R"({"metadata":{"name":")" + name +
           R"(","namespace":"default","uid":"0d3c1e5a-0000-4000-8000-)" +
           number(mix.below(899'999)) + R"(","labels":{"app":")" + service +
           R"("}},"spec":{"nodeName":"node-)" + number(mix.below(kNodes)) +
           R"(","containers":[{"ports":[{"name":"http","containerPort":8080,"protocol":"TCP"}]}]},)"
           R"("status":{"phase":"Running","podIPs":[{"ip":"10.)" +
           octet() + "." + octet() + "." + octet() +
           R"("}],"conditions":[{"type":"Ready","status":"True"}]}})";
  }

  kube::Cache<kube::NodeRecord> nodes;
  std::vector<Ref<const kube::ServiceRecord>> services;
  std::vector<slices::PodRef> pods;
};

double now_ms() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) / 1e6;
}

std::vector<slices::FamilyDraft> pack(const Cluster& cluster,
                                      const std::vector<slices::SliceRef>& present) {
  std::vector<slices::FamilyDraft> drafts;
  drafts.reserve(kServices);
  const auto nodes = cluster.nodes.snapshot();
  const slices::NodePlaces places(nodes);
  for (std::size_t s = 0; s < kServices; ++s) {
    const auto slice =
        present.empty() ? std::span<const slices::SliceRef>() : std::span(present).subspan(s, 1);
    drafts.push_back(slices::pack_family(
        {.service = *cluster.services[s],
         .pods = std::span(cluster.pods).subspan(s * kPodsOfService, kPodsOfService),
         .nodes = nodes,
         .slices = slice,
         .places = &places}));
  }
  return drafts;
}

// What the server would send back.
std::vector<slices::SliceRef> written(std::vector<slices::FamilyDraft> drafts, bool in_order) {
  Mix mix{8};
  Reader<kube::EndpointSliceRecord> reader;
  std::vector<slices::SliceRef> all;
  for (slices::FamilyDraft& draft : drafts) {
    kube::EndpointSliceRecord& slice = draft.creates.at(0).value;
    slice.meta.name = Text(std::string(slice.generate_name.view()) + "abcde");
    auto& endpoints = slice.endpoints;
    for (std::size_t i = endpoints.size(); !in_order && i > 1; --i)
      std::swap(endpoints[i - 1], endpoints[mix.below(i)]);
    all.push_back(reader.read(slices::render_slice(draft.creates[0])));
  }
  return all;
}

template <class Work>
double best_ms(int repeats, Work work) {
  double best = 1e9;
  for (int i = 0; i < repeats; ++i) {
    const double begin = now_ms();
    work();
    best = std::min(best, now_ms() - begin);
  }
  return best;
}

void print(const char* name, double ms) {
  std::printf("%-28s %7.1f ms %6.0f ns an endpoint\n", name, ms, ms * 1e6 / kEndpoints);
}

double steady_ms(const Cluster& cluster, const std::vector<slices::SliceRef>& present,
                 int repeats) {
  return best_ms(repeats, [&] {
    for (const slices::FamilyDraft& draft : pack(cluster, present))
      if (draft.unchanged.size() != 1) std::abort();
  });
}

}  // namespace

int main(int argc, char** argv) {
  const int repeats = argc > 1 ? std::max(1, std::atoi(argv[1])) : 15;
  const Cluster cluster;
  std::vector<slices::FamilyDraft> drafts;
  double cold = 1e9;
  for (int i = 0; i < repeats; ++i) {
    drafts.clear();
    cold = std::min(cold, best_ms(1, [&] { drafts = pack(cluster, {}); }));
  }
  print("cold", cold);
  const auto ours = written(drafts, true), upstreams = written(drafts, false);
  const double steady = steady_ms(cluster, ours, repeats);
  print("steady", steady);
  print("steady, upstream's order", steady_ms(cluster, upstreams, repeats));
  print("written as JSON", best_ms(repeats, [&] {
          std::size_t bytes = 0;
          for (const auto& draft : drafts) bytes += slices::render_slice(draft.creates[0]).size();
          if (bytes == 0) std::abort();
        }));
  return cold + steady <= kMostMilliseconds ? EXIT_SUCCESS : EXIT_FAILURE;
}
