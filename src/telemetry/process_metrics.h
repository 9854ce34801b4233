// SPDX-License-Identifier: Apache-2.0
// What Prometheus' clients tell about their own process: CPU time, memory, open files, start.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "telemetry/metrics.h"

namespace proxima::telemetry {

// Declares process_* in the registry and looks them up at every rendering. What this machine does
// not tell is left at 0.
void add_process_metrics(MetricsRegistry& registry);

// Since 1970; 0 when the machine does not tell.
double process_start_seconds();

// Of /proc/PID/stat, in the machine's ticks and pages. None: not such a line. Pure.
struct ProcessStat {
  std::uint64_t cpu_ticks = 0;    // in user and in system mode
  std::uint64_t start_ticks = 0;  // after the machine started
  std::uint64_t virtual_bytes = 0;
  std::uint64_t resident_pages = 0;
};
std::optional<ProcessStat> parse_process_stat(std::string_view line);

}  // namespace proxima::telemetry
