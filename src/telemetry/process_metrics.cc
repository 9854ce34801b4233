// SPDX-License-Identifier: Apache-2.0
#include "telemetry/process_metrics.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace proxima::telemetry {
namespace {

std::string read_all(const char* path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t begin = text.find_first_not_of(" \n");
    if (begin == std::string_view::npos) return out;
    text.remove_prefix(begin);
    const std::size_t end = std::min(text.find_first_of(" \n"), text.size());
    out.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.begin(), text.end(), value);
  return value;
}

// Seconds since 1970 at which the machine started.
double boot_time() {
  const std::string text = read_all("/proc/stat");
  constexpr std::string_view kKey = "\nbtime ";
  const std::size_t at = text.find(kKey);
  if (at == std::string::npos) return 0;
  const std::string_view rest = std::string_view(text).substr(at + kKey.size());
  return static_cast<double>(number(rest.substr(0, rest.find('\n'))));
}

double open_files() {
  std::error_code error;
  const std::filesystem::directory_iterator files("/proc/self/fd", error);
  return error ? 0 : static_cast<double>(std::distance(begin(files), end(files)));
}

double max_files() {
  rlimit limit{};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? static_cast<double>(limit.rlim_cur) : 0;
}

double started_at(const ProcessStat& stat) {
  return boot_time() +
         static_cast<double>(stat.start_ticks) / static_cast<double>(sysconf(_SC_CLK_TCK));
}

struct ProcessMetrics {
  explicit ProcessMetrics(MetricsRegistry& registry)
      : cpu(registry.counter("process_cpu_seconds_total",
                             "Total user and system CPU time spent in seconds.")),
        resident(registry.gauge("process_resident_memory_bytes", "Resident memory size in bytes.")),
        virtual_memory(
            registry.gauge("process_virtual_memory_bytes", "Virtual memory size in bytes.")),
        started(registry.gauge("process_start_time_seconds",
                               "Start time of the process since unix epoch in seconds.")),
        files(registry.gauge("process_open_fds", "Number of open file descriptors.")),
        files_max(registry.gauge("process_max_fds", "Maximum number of open file descriptors.")) {}

  void look_up() {
    const std::lock_guard guard(mutex);  // two readers must not both add the same CPU time
    files.set(open_files());
    files_max.set(max_files());
    const auto stat = parse_process_stat(read_all("/proc/self/stat"));
    if (!stat) return;
    const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
    cpu.add(static_cast<double>(stat->cpu_ticks) / ticks - cpu.value());
    resident.set(static_cast<double>(stat->resident_pages) *
                 static_cast<double>(sysconf(_SC_PAGESIZE)));
    virtual_memory.set(static_cast<double>(stat->virtual_bytes));
    started.set(started_at(*stat));
  }

  std::mutex mutex;
  Counter cpu;
  Gauge resident;
  Gauge virtual_memory;
  Gauge started;
  Gauge files;
  Gauge files_max;
};

}  // namespace

void add_process_metrics(MetricsRegistry& registry) {
  const auto metrics = std::make_shared<ProcessMetrics>(registry);
  registry.before_rendering([metrics] { metrics->look_up(); });
}

double process_start_seconds() {
  const auto stat = parse_process_stat(read_all("/proc/self/stat"));
  return stat ? started_at(*stat) : 0;
}

std::optional<ProcessStat> parse_process_stat(std::string_view line) {
  // The program's name stands in parentheses and may hold anything, so what counts begins after the
  // last of them, with the third field.
  const std::size_t name_end = line.rfind(')');
  if (name_end == std::string_view::npos) return std::nullopt;
  const auto fields = words_of(line.substr(name_end + 1));
  constexpr std::size_t kFirst = 3;
  constexpr std::size_t kResident = 24;
  if (fields.size() + kFirst <= kResident) return std::nullopt;
  const auto field = [&](std::size_t place) { return number(fields[place - kFirst]); };
  return ProcessStat{.cpu_ticks = field(14) + field(15),
                     .start_ticks = field(22),
                     .virtual_bytes = field(23),
                     .resident_pages = field(kResident)};
}

}  // namespace proxima::telemetry
