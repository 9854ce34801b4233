// SPDX-License-Identifier: Apache-2.0
// What a Service publishes of a Pod in one address family. Endpoints that are there already are
// compared with it in place: nothing is built where nothing has to be written.
#pragma once

#include "kube/endpoint_slice_record.h"
#include "kube/pod_record.h"
#include "kube/service_record.h"

namespace proxima::slices {

// Borrowed.
struct PodSource {
  const kube::PodRecord* pod = nullptr;
  const Text* zone = nullptr;  // of its node; null for none
};

// Whether a Pod is of interest at all: not over, and reachable somewhere. Terminating ones are.
bool can_be_endpoint(const kube::PodRecord& pod);

class EndpointMaker {
 public:
  EndpointMaker(const kube::ServiceRecord& service, kube::AddressType family);

  bool has_address(const kube::PodRecord& pod) const;

  // Whether an endpoint is this Pod's, in whatever state: its name, its addresses, its hostname.
  // The uid does not count, so that a Pod that comes back under its old name and address is found.
  bool is_of(const kube::EndpointRecord& endpoint, const kube::PodRecord& pod) const;

  // Whether an endpoint that is the Pod's says what make() would say. Hints do not count.
  bool is_current(const kube::EndpointRecord& endpoint, const PodSource& source) const;

  kube::EndpointRecord make(const PodSource& source) const;

 private:
  bool is_ready(const kube::PodRecord& pod) const;
  const Text& hostname_of(const kube::PodRecord& pod) const;
  bool has_addresses_of(const kube::EndpointRecord& endpoint, const kube::PodRecord& pod) const;
  std::vector<Text> addresses_of(const kube::PodRecord& pod) const;

  const kube::ServiceRecord& service_;
  IpFamily family_;
  Text pod_kind_;
  Text none_;
};

}  // namespace proxima::slices
