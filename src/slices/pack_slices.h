// SPDX-License-Identifier: Apache-2.0
// Packs the endpoints of one port group into its slices: three passes, the least writes first. What
// need not be touched is not, so half-empty slices stay half-empty.
#pragma once

#include <cstddef>
#include <vector>

#include "kube/service_record.h"
#include "slices/endpoint_ports.h"
#include "slices/pod_endpoint.h"
#include "slices/port_group.h"
#include "slices/slice_draft.h"

namespace proxima::slices {

class SlicePacker {
 public:
  SlicePacker(const kube::ServiceRecord& service, kube::AddressType family,
              std::size_t max_endpoints)
      : service_(service),
        family_(family),
        max_endpoints_(max_endpoints),
        maker_(service, family) {}

  const EndpointMaker& maker() const { return maker_; }
  // Adds to `draft` what happens to the slices of this group.
  void pack(const EndpointPorts& ports, PortGroup& group, FamilyDraft& draft);

 private:
  struct Work;  // on one group

  static WantedEndpoint* find(const kube::EndpointRecord& endpoint, const EndpointMaker& maker,
                              Work& work);
  // Pass 1: what is there keeps its place, in its newest form.
  void keep(const SliceRef& slice, Work& work, FamilyDraft& draft);
  void keep_changed(const SliceRef& slice, Work& work, FamilyDraft& draft);
  // Pass 2: slices that are written anyway take what is left, the fullest first.
  void fill_updates(Work& work) const;
  // Pass 3: the rest goes into one untouched slice that has room for all of it, or into new ones.
  void fill_rest(const EndpointPorts& ports, Work& work, FamilyDraft& draft) const;
  bool fill_untouched(Work& work) const;
  void fill(std::vector<kube::EndpointRecord>& endpoints, Work& work) const;
  const kube::LabelSetRef& labels();

  const kube::ServiceRecord& service_;
  kube::AddressType family_;
  std::size_t max_endpoints_;
  EndpointMaker maker_;
  kube::LabelSetRef labels_;           // made when first needed
  std::vector<WantedEndpoint*> kept_;  // of the slice that is being looked at
};

}  // namespace proxima::slices
