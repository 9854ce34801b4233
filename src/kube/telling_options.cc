// SPDX-License-Identifier: Apache-2.0
#include "kube/telling_options.h"

namespace proxima::kube {

ReflectorOptions telling_options(const Resource& resource, std::uint64_t seed,
                                 const TellProblem& tell, const net::Cancellation& stopped) {
  ReflectorOptions options;
  options.plan.seed = seed + std::hash<std::string_view>()(resource.plural);
  options.on_problem = [tell](const wire::Problem& problem) {
    tell("An object cannot be read as it should", wire::to_text(problem));
  };
  options.on_failure = [tell, stopped](const Error& error) {
    if (!stopped.cancelled()) tell("A list or a watch failed and is tried again", error.message);
  };
  return options;
}

}  // namespace proxima::kube
