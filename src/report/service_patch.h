// SPDX-License-Identifier: Apache-2.0
// Patches of `proxima migrate` as documents that an API server takes. What goes is null, as a merge
// patch has it.
#pragma once

#include "core/plan/migration.h"
#include "report/document.h"

namespace proxima::report {

// A merge patch of a Service, which names it: apiVersion, kind, metadata, spec.
void write_service_patch(DocumentWriter& writer, const model::Snapshot& snapshot,
                         model::ServiceIndex service, const plan::ServicePatch& patch);

// Whether the workload of `migration` is known, and of a kind that a patch can spread over zones.
bool has_workload_patch(const model::Snapshot& snapshot, const plan::Migration& migration,
                        const plan::PodAdvice& advice);
// A strategic merge patch of the workload: its number of Pods where that changes, and a topology
// spread constraint beside those that it has for other keys. For advice of PodPlacement::Spread.
void write_workload_patch(DocumentWriter& writer, const model::Snapshot& snapshot,
                          const plan::Migration& migration, const plan::PodAdvice& advice);

// "Deployment/web" → {"Deployment", "web"}.
struct WorkloadName {
  std::string_view kind;
  std::string_view name;
};
WorkloadName workload_name(std::string_view workload);

}  // namespace proxima::report
