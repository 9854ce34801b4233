// SPDX-License-Identifier: Apache-2.0
// The port to a Kubernetes API server: everything else in kube/ speaks through it, so that tests
// can put a server that misbehaves, or none at all, in its place. Safe for concurrent use.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "net/cancellation.h"
#include "net/http_client.h"
#include "net/http_message.h"

namespace proxima::kube {

// A kind of object as its paths spell it.
struct Resource {
  std::string_view group;  // "" is the core group
  std::string_view version;
  std::string_view plural;
  std::string_view kind;
  bool namespaced = true;
};

inline constexpr Resource kPods = {"", "v1", "pods", "Pod", true};
inline constexpr Resource kServices = {"", "v1", "services", "Service", true};
inline constexpr Resource kNodes = {"", "v1", "nodes", "Node", false};
inline constexpr Resource kNamespaces = {"", "v1", "namespaces", "Namespace", false};
inline constexpr Resource kEndpoints = {"", "v1", "endpoints", "Endpoints", true};
inline constexpr Resource kConfigMaps = {"", "v1", "configmaps", "ConfigMap", true};
inline constexpr Resource kEndpointSlices = {"discovery.k8s.io", "v1", "endpointslices",
                                             "EndpointSlice", true};
inline constexpr Resource kEvents = {"events.k8s.io", "v1", "events", "Event", true};
inline constexpr Resource kCoreEvents = {"", "v1", "events", "Event", true};
inline constexpr Resource kLeases = {"coordination.k8s.io", "v1", "leases", "Lease", true};
inline constexpr Resource kServiceCidrs = {"networking.k8s.io", "v1", "servicecidrs", "ServiceCIDR",
                                           false};

// "/api/v1/namespaces/shop/pods/web-1/status". Empty parts are left out.
std::string resource_path(const Resource& resource, std::string_view ns = {},
                          std::string_view name = {}, std::string_view subresource = {});

struct ApiRequest {
  std::string method = "GET";
  std::string path;
  std::vector<net::QueryParameter> query;
  std::string content_type;  // of the body
  std::string body;
  // How long the whole of it may take, waits and retries included; the server is told and gives up
  // too, so that a write cannot happen later. 0: the client's own limits.
  std::chrono::milliseconds timeout{0};
};

struct ApiResponse {
  int status = 0;
  net::HttpHeaders headers;
  std::string body;

  bool ok() const { return status >= 200 && status < 300; }
};

// What a Status object says; `reason` is upstream's word: "AlreadyExists", "Expired".
struct ApiFailure {
  // 0: there was no answer, and nobody knows whether the server acted, unless the reason is
  // NotSent.
  int status = 0;
  std::string reason;
  std::string message;
  std::optional<std::uint32_t> retry_after_seconds;
  std::vector<std::string> causes;  // their reasons: "NamespaceTerminating"
};
// Reads the body of a response that is not ok; a body that is no Status gives what the code says.
ApiFailure failure_of(const ApiResponse& response);
// The reason of a request that was refused before it left: no leadership, no credentials.
inline constexpr std::string_view kNotSent = "NotSent";
// 404 NotFound · 409 Conflict · 410 Relist · 401, 403 Denied · 400, 415, 422 and other 4xx
// InvalidInput · 429, 5xx, no answer Retry · NotSent Denied.
Error to_error(const ApiFailure& failure);

class KubeApi {
 public:
  virtual ~KubeApi() = default;
  // The answer, whatever its status: 4xx and 5xx are answers too. Waits its turn under the rate
  // limits, adds credentials, and tries again when the server says 429 or 5xx with Retry-After. An
  // error: there was no answer.
  virtual Result<ApiResponse> send(const ApiRequest& request,
                                   const net::Cancellation& cancellation) = 0;
  // The same for an answer that is read as it comes: lists and watches. `idle` bounds the silence
  // between two pieces. A status that is not ok is an answer here too.
  virtual Result<std::unique_ptr<net::HttpStream>> open(const ApiRequest& request,
                                                        std::chrono::milliseconds idle,
                                                        const net::Cancellation& cancellation) = 0;
};

}  // namespace proxima::kube
