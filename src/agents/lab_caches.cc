// SPDX-License-Identifier: Apache-2.0
#include "agents/lab_caches.h"

#include "kube/reflector.h"
#include "kube/telling_options.h"

namespace proxima::agents {

template <class Record>
void LabCaches::reflect(const kube::Resource& resource, kube::Cache<Record>& cache,
                        const std::function<void()>& on_change) {
  cache.subscribe([on_change](const kube::Change<Record>&) { on_change(); });
  const auto tell = [&log = log_](std::string_view what, const std::string& problem) {
    log.warning(what, {{"problem", problem}});
  };
  auto options = kube::telling_options(resource, seed_, tell, stop_);
  threads_.emplace_back([this, &resource, &cache, options = std::move(options)] {
    kube::Reflector<Record> reflector(api_, clock_, resource, cache, options);
    reflector.run(stop_);
  });
}

void LabCaches::start(const std::function<void()>& on_change) {
  if (!threads_.empty() || stop_.cancelled()) return;
  reflect(kube::kPods, pods, on_change);
  reflect(kube::kNodes, nodes, on_change);
  reflect(kube::kServices, services, on_change);
}

void LabCaches::stop() {
  stop_.cancel();
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

}  // namespace proxima::agents
