// SPDX-License-Identifier: Apache-2.0
// Annotations of a slice with one of them changed.
#pragma once

#include <string_view>

#include "kube/record.h"

namespace proxima::slices {

// None for `text`: without the annotation.
kube::LabelSetRef with_annotation(const kube::LabelSetRef& annotations, std::string_view name,
                                  const Text& text);

}  // namespace proxima::slices
