// SPDX-License-Identifier: Apache-2.0
// px-lab ZONE:PODS…   makes a cluster of a node a word, tells where its hosts are, and keeps it
//                     until standard input ends
// px-lab --sweep      removes what killed runs left
#include <charconv>
#include <iostream>
#include <string>

#include <unistd.h>

#include "lab/cluster_bed.h"

namespace {

using namespace proxima;

lab::NodeShape node_of(std::string_view word) {
  lab::NodeShape node;
  const auto colon = word.find(':');
  node.zone = word.substr(0, colon);
  if (colon == std::string_view::npos) return node;
  word.remove_prefix(colon + 1);
  std::from_chars(word.data(), word.data() + word.size(), node.pods);
  return node;
}

void tell(const lab::ClusterPlan& plan, const lab::ClusterBed& bed) {
  for (std::size_t i = 0; i < plan.hosts.size(); ++i) {
    const lab::PlannedHost& host = plan.hosts[i];
    std::cout << host.name << '\t' << lab::to_text(host.kind) << '\t' << bed.namespaces()[i].file()
              << '\t' << host.zone << '\t' << host.node << '\t' << host.v4.text() << '\t'
              << host.v6.text() << '\n';
  }
  std::cout << "ready" << std::endl;
}

Status keep(const lab::ClusterShape& shape) {
  PROXIMA_TRY(const std::string folder, lab::namespace_folder(), "px-lab");
  PROXIMA_TRY([[maybe_unused]] const std::size_t swept, lab::sweep(folder), "px-lab");
  PROXIMA_TRY(const lab::ClusterPlan plan, lab::plan_cluster(shape), "px-lab");
  PROXIMA_TRY(lab::RunClaim claim, lab::RunClaim::take(folder, std::to_string(getpid())), "px-lab");
  PROXIMA_TRY(const lab::ClusterBed bed, lab::ClusterBed::build(plan, std::move(claim)), "px-lab");
  tell(plan, bed);
  for (std::string line; std::getline(std::cin, line);) continue;
  return Unit{};
}

Status sweep_only() {
  PROXIMA_TRY(const std::string folder, lab::namespace_folder(), "px-lab");
  PROXIMA_TRY(const std::size_t swept, lab::sweep(folder), "px-lab");
  std::cout << swept << '\n';
  return Unit{};
}

}  // namespace

int main(int argc, char** argv) {
  lab::ClusterShape shape{.outside_hosts = 2};
  for (int i = 1; i < argc; ++i) shape.nodes.push_back(node_of(argv[i]));
  const Status done =
      argc == 2 && std::string_view(argv[1]) == "--sweep" ? sweep_only() : keep(shape);
  if (done) return 0;
  std::cerr << done.error().message << '\n';
  return done.error().code == ErrorCode::Denied ? 77 : 1;
}
