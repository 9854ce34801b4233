// SPDX-License-Identifier: Apache-2.0
#include "cli/status_access.h"

namespace proxima::cli {

Result<std::unique_ptr<StatusAccess>> StatusAccess::create(const KubeConnection& connection,
                                                           Options options, Clock& clock) {
  auto api = connection.connect(
      options.limits, [](std::string_view /*warning*/) {}, clock);
  if (!api) return std::move(api).error();
  return std::unique_ptr<StatusAccess>(
      new StatusAccess(std::move(*api), std::move(options.audience), clock));
}

Status StatusAccess::authorize(const telemetry::AccessRequest& request) {
  auto bearer =
      review_.review(request.token, {.path = request.path, .verb = request.verb}, stopping_);
  if (!bearer) return std::move(bearer).error();
  return Unit{};
}

std::optional<Status> StatusAccess::remembered(const telemetry::AccessRequest& request) {
  auto bearer = review_.remembered(request.token, {.path = request.path, .verb = request.verb});
  if (!bearer) return std::nullopt;
  if (!*bearer) return Status(std::move(*bearer).error());
  return Status(Unit{});
}

}  // namespace proxima::cli
