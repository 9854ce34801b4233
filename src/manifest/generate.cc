// SPDX-License-Identifier: Apache-2.0
#include "manifest/generate.h"

#include <algorithm>

#include "manifest/generated_objects.h"

namespace proxima::manifest {
namespace {

constexpr std::size_t kMaxEndpointsPerSlice = 100;
constexpr std::size_t kMaxPods = 16'000'000;  // what fits 10.0.0.0/8
constexpr std::size_t kPieceBytes = 256 * 1024;

struct MixName {
  PolicyMix mix;
  std::string_view name;
};
constexpr MixName kMixNames[] = {
    {PolicyMix::Mixed, "mixed"},
    {PolicyMix::None, "none"},
    {PolicyMix::Auto, "auto"},
    {PolicyMix::PreferSameZone, "prefer-same-zone"},
    {PolicyMix::PreferSameNode, "prefer-same-node"},
    {PolicyMix::TopologyKeys, "topology-keys"},
    {PolicyMix::Balanced, "balanced"},
};

Status check_options(const ClusterShape& shape) {
  auto wrong = [](std::string why) { return Error{ErrorCode::InvalidInput, std::move(why)}; };
  if (shape.zones == 0 || shape.regions == 0) return wrong("zones and regions must be at least 1");
  if (shape.regions > shape.zones) return wrong("more regions than zones");
  if (shape.nodes < shape.zones) return wrong("fewer nodes than zones");
  if (shape.services == 0 && shape.pods > 0) return wrong("pods need at least one service");
  if (shape.zones > 10'000) return wrong("more than 10,000 zones");
  if (shape.pods > kMaxPods || shape.nodes > kMaxPods || shape.services > kMaxPods)
    return wrong("more than 16 million of a kind");
  if (!(shape.skew >= 0 && shape.skew <= 1)) return wrong("skew must be between 0 and 1");
  return Unit{};
}

// Puts objects one after another in the chosen format, and hands them on in large pieces.
class Output {
 public:
  Output(TextFormat format, const TextSink& sink) : format_(format), sink_(sink) {
    if (format == TextFormat::Json) text_ = "{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n";
    if (format == TextFormat::CompactJson)
      text_ = "{\"kind\":\"List\",\"apiVersion\":\"v1\",\"metadata\":{},\"items\":[";
  }

  void add(const std::string& object) {
    if (any_)
      text_ += format_ == TextFormat::Yaml ? "---\n" : format_ == TextFormat::Json ? ",\n" : ",";
    any_ = true;
    text_ += object;
    if (text_.size() >= kPieceBytes) flush();
  }

  void finish() {
    if (format_ == TextFormat::Json)
      text_ +=
          "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n"
          "        \"resourceVersion\": \"\"\n    }\n}\n";
    if (format_ == TextFormat::CompactJson) text_ += "]}\n";
    flush();
  }

 private:
  void flush() {
    sink_(text_);
    text_.clear();
  }

  TextFormat format_;
  const TextSink& sink_;
  std::string text_;
  bool any_ = false;
};

void write_slices(const GeneratedObjects& objects, const GeneratedCluster& cluster,
                  Output& output) {
  for (std::size_t service = 0; service < cluster.services().size(); ++service) {
    const std::size_t pods = cluster.services()[service].pods;
    std::size_t first = 0;
    do {  // a service without Pods has an empty slice
      const std::size_t count = std::min(kMaxEndpointsPerSlice, pods - first);
      output.add(objects.slice(service, first, count));
      first += count;
    } while (first < pods);
  }
}

}  // namespace

std::optional<PolicyMix> parse_policy_mix(std::string_view text) {
  const auto* found = std::ranges::find(kMixNames, text, &MixName::name);
  return found == std::end(kMixNames) ? std::nullopt : std::optional(found->mix);
}

Status generate(const GenerateOptions& options, const TextSink& sink) {
  if (auto status = check_options(options.shape); !status) return status;
  const GeneratedCluster cluster(options.shape);
  const GeneratedObjects objects(cluster, options);
  Output output(options.format, sink);
  for (std::size_t i = 0; i < options.shape.nodes; ++i) output.add(objects.node(i));
  for (std::size_t i = 0; i < cluster.namespaces(); ++i) output.add(objects.ns(i));
  for (std::size_t i = 0; i < options.shape.services; ++i) output.add(objects.service(i));
  for (std::size_t i = 0; i < options.shape.services; ++i)
    for (std::size_t pod = 0; pod < cluster.services()[i].pods; ++pod)
      output.add(objects.pod(i, pod));
  if (options.slices) write_slices(objects, cluster, output);
  output.finish();
  return Unit{};
}

}  // namespace proxima::manifest
