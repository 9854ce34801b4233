// SPDX-License-Identifier: Apache-2.0
// Publishes the split of a family in the annotation proxima.io/zone-split. One slice carries it, so
// that a moved share is one write however many slices there are, and readers never see two.
#pragma once

#include <string>

#include "core/route/zone_split.h"
#include "slices/slice_draft.h"

namespace proxima::slices {

// The text that is published afterwards: what is there stays as long as no share has moved by more
// than the step. An empty split takes the annotation away.
std::string write_split(const route::ZoneSplit& wanted, FamilyDraft& draft);

}  // namespace proxima::slices
