// SPDX-License-Identifier: Apache-2.0
#include "agents/lab_caches.h"

#include "kube/reflector.h"

namespace proxima::agents {

template <class Record>
void LabCaches::reflect(const kube::Resource& resource, kube::Cache<Record>& cache,
                        const std::function<void()>& on_change) {
  cache.subscribe([on_change](const kube::Change<Record>&) { on_change(); });
  kube::ReflectorOptions options;
  options.plan.seed = seed_ + std::hash<std::string_view>()(resource.plural);
  options.on_problem = [&log = log_](const wire::Problem& problem) {
    log.warning("An object cannot be read as it should", {{"problem", wire::to_text(problem)}});
  };
  options.on_failure = [&log = log_, stopped = stop_](const Error& error) {
    if (stopped.cancelled()) return;
    log.warning("A list or a watch failed and is tried again", {{"problem", error.message}});
  };
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
