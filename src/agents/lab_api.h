// SPDX-License-Identifier: Apache-2.0
// What the agents write to the Kubernetes API, one request a call. Safe for concurrent use.
#pragma once

#include <string>
#include <string_view>

#include "agents/lab_ports.h"
#include "base/result.h"
#include "base/timestamp.h"
#include "kube/node_record.h"
#include "kube/object_client.h"
#include "kube/pod_record.h"

namespace proxima::agents {

enum class Grace { AsThePodSays, None };

class LabApi {
 public:
  // The API must outlive it.
  LabApi(kube::KubeApi& api, std::chrono::milliseconds timeout)
      : api_(api), client_(api, timeout), timeout_(timeout) {}

  // An object that is there already is fine.
  Status create(const kube::Resource& resource, const std::string& ns, std::string object);
  // The same, and Conflict when it is there.
  Status create_new(const kube::Resource& resource, const std::string& ns, std::string object);
  // Whether it is there.
  Result<bool> has(const kube::ObjectRef& ref);
  Status merge(const kube::ObjectRef& ref, std::string patch);
  // An object that is not there any more is fine, here and below.
  Status remove_pod(const kube::ObjectKey& pod, std::string_view uid, Grace grace);

  Status bind(const kube::PodRecord& pod, std::string_view node);
  Status report_running(const kube::PodRecord& pod, const MachineAddresses& addresses,
                        const MachineAddresses& host, WallTime now);
  Status report_lost(const kube::PodRecord& pod, WallTime now);
  Status report_well(const kube::NodeRecord& node, const MachineAddresses& addresses, WallTime now);
  Status report_lost(const kube::NodeRecord& node, WallTime now);
  Status report_traffic(const kube::NodeRecord& node, double traffic);

  // Every request that is under way or comes later ends at once.
  void cancel() const { stop_.cancel(); }

 private:
  kube::KubeApi& api_;
  kube::ObjectClient client_;
  std::chrono::milliseconds timeout_;
  net::Cancellation stop_;
};

}  // namespace proxima::agents
