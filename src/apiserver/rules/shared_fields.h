// SPDX-License-Identifier: Apache-2.0
// Fields and values that the rules of several kinds name.
#pragma once

#include <string_view>

#include "apiserver/rules/field_errors.h"

namespace proxima::apiserver::rules {

inline const FieldPath kSpec("spec");
inline constexpr std::string_view kProtocols[] = {"SCTP", "TCP", "UDP"};
inline constexpr std::string_view kHintsAnnotation = "service.kubernetes.io/topology-aware-hints";

}  // namespace proxima::apiserver::rules
