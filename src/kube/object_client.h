// SPDX-License-Identifier: Apache-2.0
// Reads and writes of single objects, as JSON text. Safe for concurrent use.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "kube/api.h"

namespace proxima::kube {

struct ObjectRef {
  Resource resource;
  std::string ns;  // empty for cluster-wide kinds
  std::string name;
};

enum class PatchKind { Merge, Json, Strategic };

struct DeleteOptions {
  // The object is deleted only when it is still this one; Conflict otherwise.
  std::string uid;
  std::string resource_version;
  std::string propagation;  // "Foreground", "Background", "Orphan"; empty: the server's choice
  std::optional<int> grace_period_seconds;
};

// AlreadyExists and Conflict are both 409, and want opposite things done.
bool is_already_exists(const ApiFailure& failure);
bool is_conflict(const ApiFailure& failure);
bool is_not_found(const ApiFailure& failure);

// The object as the server returned it, or its refusal. Status 0 means that there was no response,
// or one that is not a JSON object; only with the reason NotSent is it certain that nothing
// happened.
using ObjectResult = Result<std::string, ApiFailure>;

class ObjectClient {
 public:
  // The API must outlive the client. `timeout` bounds each request; 0: the API's own limits.
  explicit ObjectClient(KubeApi& api, std::chrono::milliseconds timeout = {})
      : api_(api), timeout_(timeout) {}

  ObjectResult get(const ObjectRef& ref, const net::Cancellation& cancellation);
  // ref.name is not used: the object says it, or its generateName.
  ObjectResult create(const ObjectRef& ref, std::string object,
                      const net::Cancellation& cancellation);
  ObjectResult update(const ObjectRef& ref, std::string object,
                      const net::Cancellation& cancellation);
  ObjectResult update_status(const ObjectRef& ref, std::string object,
                             const net::Cancellation& cancellation);
  ObjectResult patch(const ObjectRef& ref, PatchKind kind, std::string patch,
                     const net::Cancellation& cancellation);
  ObjectResult patch_status(const ObjectRef& ref, PatchKind kind, std::string patch,
                            const net::Cancellation& cancellation);
  // The answer is the object when it is not gone yet, and a Status when it is.
  ObjectResult remove(const ObjectRef& ref, const DeleteOptions& options,
                      const net::Cancellation& cancellation);

 private:
  ObjectResult send(ApiRequest request, const net::Cancellation& cancellation);

  KubeApi& api_;
  std::chrono::milliseconds timeout_;
};

}  // namespace proxima::kube
