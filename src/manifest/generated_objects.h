// SPDX-License-Identifier: Apache-2.0
// The objects of a made-up cluster as text, each as large and as full of things that nobody here
// needs as the real ones.
#pragma once

#include <cstddef>
#include <string>

#include "manifest/generate.h"

namespace proxima::manifest {

class GeneratedObjects {
 public:
  // Borrows the cluster.
  GeneratedObjects(const GeneratedCluster& cluster, const GenerateOptions& options)
      : cluster_(cluster), options_(options) {}

  std::string node(std::size_t index) const;
  std::string ns(std::size_t index) const;
  std::string service(std::size_t index) const;
  std::string pod(std::size_t service, std::size_t index) const;
  std::string slice(std::size_t service, std::size_t first_pod, std::size_t pods) const;

 private:
  ObjectWriter begin(std::string_view api_version, std::string_view kind) const;
  void write_policy(ObjectWriter& out, std::size_t service) const;
  PolicyMix policy_of(std::size_t service) const;
  void write_pod_metadata(ObjectWriter& out, const GeneratedService& owner,
                          const GeneratedPod& pod) const;
  void write_managed_fields(ObjectWriter& out, std::string_view manager) const;
  void write_pod_spec(ObjectWriter& out, const GeneratedService& owner,
                      const GeneratedPod& pod) const;
  void write_pod_status(ObjectWriter& out, const GeneratedService& owner,
                        const GeneratedPod& pod) const;

  const GeneratedCluster& cluster_;
  const GenerateOptions& options_;
};

}  // namespace proxima::manifest
