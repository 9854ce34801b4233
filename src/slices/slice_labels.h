// SPDX-License-Identifier: Apache-2.0
// The labels of a Service's slices: those of the Service, and three of the controller's own.
#pragma once

#include <string_view>

#include "kube/record.h"
#include "kube/service_record.h"

namespace proxima::slices {

// Who manages a slice; the same as upstream's, so that either can go on where the other stopped.
inline constexpr std::string_view kControllerIdentity = "endpointslice-controller.k8s.io";

kube::LabelSetRef slice_labels(const kube::ServiceRecord& service);

// Whether a slice has all labels of its Service and no others. The controller's own keys do not
// count: what a Service says there is not taken over, and a wrong one alone is no reason to write.
bool mirrors_labels(const kube::LabelSetRef& slice, const kube::LabelSetRef& service);

}  // namespace proxima::slices
