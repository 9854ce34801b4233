// SPDX-License-Identifier: Apache-2.0
// `proxima explain` as JSON or YAML.
#pragma once

#include <string>

#include "core/plan/explain.h"
#include "report/document.h"

namespace proxima::report {

std::string explain_document(const plan::ClusterPlan& plan, const plan::Explanation& explanation,
                             plan::From from, DocumentFormat format);

}  // namespace proxima::report
