// SPDX-License-Identifier: Apache-2.0
// What would become of a service if its annotations said something else. Nothing is written. Pure.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "web/cluster_picture.h"

namespace proxima::web {

// What proxima.io/policy and proxima.io/overload should say; none: nothing.
struct PolicyWish {
  std::optional<std::string> policy;
  std::optional<double> overload;
};
// As the annotation is written: 0.2.
std::string overload_annotation(double overload);

struct Prediction {
  PlanPicture now;
  PlanPicture then;
};

// NotFound: there is no such service.
Result<Prediction> predict(const ClusterPicture& picture, const std::string& service,
                           const PolicyWish& wish);
std::string prediction_document(const std::string& service, const Prediction& prediction);

// Seen from where, and by which addresses.
struct PointOfView {
  std::string from = {};    // a node or a zone; empty: the first zone that there is
  std::string family = {};  // "IPv4", "IPv6"; empty: the first that the service has
};
// The document of `proxima explain -o json`.
Result<std::string> explanation_document(const ClusterPicture& picture, const std::string& service,
                                         const PointOfView& view);

}  // namespace proxima::web
