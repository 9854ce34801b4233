// SPDX-License-Identifier: Apache-2.0
// HTTP backends of many Pods, each listening inside its Pod's network namespace, all served by one
// thread. Safe for concurrent use.
//
// Every request is answered by 200, with headers X-Proxima-Pod, X-Proxima-Node and X-Proxima-Zone
// and a JSON body {"pod","node","zone","client"}, filled up with spaces.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/run_inside.h"

namespace proxima::traffic {

struct BackendSpec {
  std::string pod;  // "shop/web-1": the farm's key
  std::string node;
  std::string zone;
  std::uint16_t port = 8080;               // 0: any free one
  std::chrono::milliseconds think_time{};  // between a request and its answer
  std::size_t answer_bytes = 2048;         // of the body; never less than the JSON needs
  std::string address;                     // empty: all of both families
};

class BackendFarm {
 public:
  // An error: the system has no descriptors left.
  static Result<std::unique_ptr<BackendFarm>> create();
  virtual ~BackendFarm() = default;  // all backends are cut

  // Listens inside; a client that connects from now on is answered. An error names the Pod; a Pod
  // that has a backend already is a Conflict.
  virtual Status start(const BackendSpec& spec, const RunInside& inside) = 0;
  // Connections that the kernel has taken and requests under way are answered; new ones are not
  // taken. Returns when the last is done, at the latest a second after the time to think. Unknown
  // Pods are fine.
  virtual void stop(const std::string& pod) = 0;
  // Dies at once, as a machine without power does: nobody is told anything.
  virtual void cut(const std::string& pod) = 0;

  // Where it listens; nullopt: no such backend.
  virtual std::optional<std::uint16_t> port(const std::string& pod) const = 0;
  // Requests that it was given so far; 0 for no such backend.
  virtual std::uint64_t served(const std::string& pod) const = 0;
};

}  // namespace proxima::traffic
