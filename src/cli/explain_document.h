// SPDX-License-Identifier: Apache-2.0
// `proxima explain` as JSON or YAML.
#pragma once

#include <string>

#include "cli/document.h"
#include "core/plan/explain.h"

namespace proxima::cli {

std::string explain_document(const plan::ClusterPlan& plan, const plan::Explanation& explanation,
                             plan::From from, DocumentFormat format);

}  // namespace proxima::cli
