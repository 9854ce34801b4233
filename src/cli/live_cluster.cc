// SPDX-License-Identifier: Apache-2.0
#include "cli/live_cluster.h"

#include <unistd.h>

#include <array>

#include "base/clock.h"
#include "cli/version.h"
#include "kube/connect.h"
#include "kube/list_pages.h"

namespace proxima::cli {
namespace {

constexpr std::array kKinds = {kube::kNamespaces, kube::kNodes, kube::kServices,
                               kube::kEndpointSlices, kube::kPods};

kube::Environment all_variables() {
  kube::Environment out;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos)
      out.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return out;
}

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

Result<manifest::Loaded> read_live_cluster(const KubeOptions& options,
                                           const manifest::ReadOptions& reading, Console& console) {
  kube::ConnectionOptions where;
  where.kubeconfig = options.kubeconfig;
  where.context = options.context;
  where.environment = all_variables();
  auto found = kube::find_connection(where);
  if (!found && options.kubeconfig.empty())
    return std::move(found).error().in("without -f a live cluster is read");
  if (!found) return std::move(found).error();
  const kube::Connection& connection = *found;
  for (const std::string& warning : connection.warnings) console.warning(warning);
  kube::HttpApiOptions http;
  http.user_agent = kube::user_agent(version());
  http.limits = {options.qps, options.burst};
  http.on_warning = [&console](std::string_view text) { console.warning(text); };
  SystemClock clock;
  PROXIMA_TRY(const auto api, kube::connect(connection, where.environment, http, clock),
              connection.origin);
  PageSource source(*api, connection.cluster.server);
  return manifest::read_manifest_source([&source] { return source.next(); }, reading);
}

}  // namespace proxima::cli
