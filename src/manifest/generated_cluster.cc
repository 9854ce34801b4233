// SPDX-License-Identifier: Apache-2.0
#include "manifest/generated_cluster.h"

#include <algorithm>

namespace proxima::manifest {
namespace {

constexpr std::string_view kWords[] = {"cart",   "checkout", "search", "auth",   "catalog",
                                       "orders", "payments", "mail",   "images", "profile",
                                       "stock",  "pricing",  "quotes", "events", "reports"};
// What Kubernetes itself uses in generated names: no vowels, nothing that looks alike.
constexpr std::string_view kNameLetters = "bcdfghjklmnpqrstvwxz2456789";
constexpr std::size_t kServicesPerNamespace = 25;
constexpr double kNotReadyShare = 0.02;

// Streams of random numbers that must not be the same.
constexpr std::uint64_t kServiceStream = 0x5e51ce;
constexpr std::uint64_t kPodStream = 0x90d;

std::size_t digits_of(std::size_t largest) { return std::to_string(largest).size(); }

std::string padded(std::size_t number, std::size_t width) {
  const std::string digits = std::to_string(number);
  return std::string(width > digits.size() ? width - digits.size() : 0, '0') + digits;
}

std::string random_letters(SplitMix& random, std::size_t count) {
  std::string text;
  for (; count > 0; --count) text += kNameLetters[random.below(kNameLetters.size())];
  return text;
}

// Five letters, different for every index below 27⁵: a step that shares no factor with that number
// visits all of them.
std::string unique_letters(std::size_t index, std::uint64_t start) {
  constexpr std::uint64_t kAll = 27 * 27 * 27 * 27 * 27;
  constexpr std::uint64_t kStep = 7'919'123;
  static_assert(kStep % 3 != 0);
  std::uint64_t number = (start % kAll + index % kAll * kStep) % kAll;
  std::string text;
  for (int i = 0; i < 5; ++i, number /= 27) text += kNameLetters[number % 27];
  return text;
}

std::string address(unsigned first, std::size_t number) {
  return std::to_string(first) + "." + std::to_string(number / 65536 % 256) + "." +
         std::to_string(number / 256 % 256) + "." + std::to_string(number % 256);
}

std::vector<double> cumulative_shares(std::size_t zones, double skew) {
  std::vector<double> ends;
  double weight = 1, sum = 0;
  for (std::size_t i = 0; i < zones; ++i, weight *= 1 - skew) ends.push_back(sum += weight);
  for (double& end : ends) end /= sum;
  return ends;
}

}  // namespace

GeneratedCluster::GeneratedCluster(const ClusterShape& shape)
    : shape_(shape), zone_ends_(cumulative_shares(shape.zones, shape.skew)) {
  std::vector<double> ends;
  double sum = 0;
  for (std::size_t i = 0; i < shape.services; ++i) {
    const double unit = SplitMix(shape.seed ^ kServiceStream, i).unit();
    // A few large services and many small ones.
    ends.push_back(sum += 0.2 + 3 * unit * unit * unit);
  }
  const std::size_t width = digits_of(shape.services);
  std::size_t next_pod = 0;
  for (std::size_t i = 0; i < shape.services; ++i) {
    const auto end = static_cast<std::size_t>(static_cast<double>(shape.pods) * (ends[i] / sum));
    const std::size_t end_pod = i + 1 == shape.services ? shape.pods : std::max(end, next_pod);
    services_.push_back({namespace_name(i * namespaces() / shape.services),
                         std::string(kWords[i % std::size(kWords)]) + "-" + padded(i + 1, width),
                         next_pod, end_pod - next_pod});
    next_pod = end_pod;
  }
}

std::size_t GeneratedCluster::namespaces() const {
  return (shape_.services + kServicesPerNamespace - 1) / kServicesPerNamespace;
}

std::string GeneratedCluster::namespace_name(std::size_t index) const {
  return "team-" + padded(index + 1, digits_of(namespaces()));
}

std::string GeneratedCluster::region_name(std::size_t region) const {
  return "region-" + padded(region + 1, digits_of(shape_.regions));
}

std::size_t GeneratedCluster::region_of_zone(std::size_t zone) const {
  return zone * shape_.regions / shape_.zones;
}

// Names in the order of the numbers: "region-1a", "region-1b"; past 26 zones with digits.
std::string GeneratedCluster::zone_name(std::size_t zone) const {
  const std::string region = region_name(region_of_zone(zone));
  if (shape_.zones > 26) return region + "-" + padded(zone + 1, digits_of(shape_.zones));
  return region + static_cast<char>('a' + static_cast<char>(zone));
}

std::string GeneratedCluster::node_name(std::size_t node) const {
  return "node-" + padded(node + 1, digits_of(shape_.nodes));
}

// Pods of a service stand at even distances over the shares of the zones, so that each zone gets
// its share rounded up or down; where the first stands differs from service to service.
std::size_t GeneratedCluster::zone_of_pod(std::size_t service, std::size_t index) const {
  SplitMix random(shape_.seed ^ kServiceStream, service);
  random.next();
  const double position =
      (static_cast<double>(index) + random.unit()) / static_cast<double>(services_[service].pods);
  const auto end = std::upper_bound(zone_ends_.begin(), zone_ends_.end(), position);
  return std::min(static_cast<std::size_t>(end - zone_ends_.begin()), shape_.zones - 1);
}

GeneratedPod GeneratedCluster::pod(std::size_t service, std::size_t index) const {
  const GeneratedService& owner = services_[service];
  GeneratedPod pod;
  pod.number = owner.first_pod + index;
  const std::size_t zone = zone_of_pod(service, index);
  const std::size_t nodes_in_zone = (shape_.nodes - zone + shape_.zones - 1) / shape_.zones;
  SplitMix random(shape_.seed ^ kPodStream, pod.number);
  pod.node = zone + shape_.zones * random.below(nodes_in_zone);
  pod.ready = random.unit() >= kNotReadyShare;
  SplitMix of_service(shape_.seed ^ kServiceStream, service);
  pod.template_hash = random_letters(of_service, 9);
  pod.name = owner.name + "-" + pod.template_hash + "-" + unique_letters(index, of_service.next());
  return pod;
}

std::string GeneratedCluster::pod_address(std::size_t pod) { return address(10, pod + 1); }
std::string GeneratedCluster::node_address(std::size_t node) { return address(100, node + 1); }
std::string GeneratedCluster::service_address(std::size_t service) {
  return address(11, service + 1);
}

}  // namespace proxima::manifest
