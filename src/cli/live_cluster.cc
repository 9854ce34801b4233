// SPDX-License-Identifier: Apache-2.0
#include "cli/live_cluster.h"

#include <array>

#include "base/clock.h"
#include "cli/run_place.h"
#include "kube/list_pages.h"

namespace proxima::cli {
namespace {

constexpr std::array kKinds = {kube::kNamespaces, kube::kNodes, kube::kServices,
                               kube::kEndpointSlices, kube::kPods};

// The pages of one kind after another.
class PageSource {
 public:
  PageSource(kube::KubeApi& api, std::string server) : api_(api), server_(std::move(server)) {}

  Result<std::optional<manifest::NamedText>> next() {
    while (kind_ < kKinds.size()) {
      if (!pages_) pages_.emplace(api_, kKinds[kind_]);
      auto page = pages_->next({});
      if (!page) return std::move(page).error().in(server_);
      if (*page) {
        const std::string name = server_ + " " + std::string(kKinds[kind_].plural);
        return std::optional(manifest::NamedText{name, wire::PaddedText(**page)});
      }
      pages_.reset();
      ++kind_;
    }
    return std::optional<manifest::NamedText>();
  }

 private:
  kube::KubeApi& api_;
  std::string server_;
  std::size_t kind_ = 0;
  std::optional<kube::ListPages> pages_;
};

}  // namespace

Result<KubeConnection> cluster_or_lab(const KubeOptions& options, Console& console) {
  auto connection = KubeConnection::find(options);
  if (connection || !options.kubeconfig.empty() || connection.error().code != ErrorCode::NotFound)
    return connection;
  const auto lab = find_run(state_folder(process_environment()), "");
  if (!lab) return connection;
  console.remark("no cluster is configured, so this is the lab that runs on this machine");
  KubeOptions of_lab = options;
  of_lab.kubeconfig = lab->kubeconfig;
  return KubeConnection::find(of_lab);
}

Result<manifest::Loaded> read_live_cluster(const KubeOptions& options,
                                           const manifest::ReadOptions& reading, Console& console) {
  auto connection = cluster_or_lab(options, console);
  if (!connection && options.kubeconfig.empty())
    return std::move(connection).error().in("without -f a live cluster is read");
  if (!connection) return std::move(connection).error();
  for (const std::string& warning : connection->warnings()) console.warning(warning);
  SystemClock clock;
  const auto api = connection->connect(
      {options.qps, options.burst}, [&console](std::string_view text) { console.warning(text); },
      clock);
  if (!api) return api.error();
  PageSource source(**api, connection->server());
  return manifest::read_manifest_source([&source] { return source.next(); }, reading);
}

}  // namespace proxima::cli
