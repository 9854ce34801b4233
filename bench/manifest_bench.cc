// SPDX-License-Identifier: Apache-2.0
// How fast a dump of 5,000 nodes, 10,000 services and 150,000 Pods is read, and in how much memory.
// Bars: 250 MB/s on one core, 4 bytes of memory for each byte of input.
//
//   manifest_bench [FILE]     reads FILE instead of a generated dump
#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "manifest/generate.h"
#include "manifest/read_manifests.h"
#include "wire/yaml_documents.h"

namespace {

using proxima::manifest::GenerateOptions;
using proxima::manifest::TextFormat;

constexpr double kLeastMegabytesPerSecond = 250;
constexpr double kMostBytesPerByte = 4;
constexpr int kRounds = 5;

double seconds_now() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

double processor_seconds() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  auto seconds = [](const timeval& t) { return double(t.tv_sec) + double(t.tv_usec) * 1e-6; };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024;
}

bool write_dump(const std::string& path, bool slices, TextFormat format) {
  GenerateOptions options;
  options.shape = {.nodes = 5'000,
                   .zones = 3,
                   .regions = 1,
                   .services = 10'000,
                   .pods = 150'000,
                   .skew = 0.3,
                   .seed = 1};
  options.slices = slices;
  options.format = format;
  std::FILE* file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const auto status = proxima::manifest::generate(
      options, [&](std::string_view text) { std::fwrite(text.data(), 1, text.size(), file); });
  return std::fclose(file) == 0 && status.has_value();
}

// Prints a line; false when a bar is missed.
bool measure(const std::string& path, const char* name) {
  double best_wall = 1e9, best_processor = 1e9, megabytes = 0;
  for (int round = 0; round < kRounds; ++round) {
    const double wall = seconds_now(), processor = processor_seconds();
    auto loaded = proxima::manifest::read_manifests({path}, {});
    if (!loaded) {
      std::fprintf(stderr, "%s\n", loaded.error().message.c_str());
      return false;
    }
    best_wall = std::min(best_wall, seconds_now() - wall);
    best_processor = std::min(best_processor, processor_seconds() - processor);
    megabytes = static_cast<double>(loaded->bytes) / 1e6;
  }
  const double memory = peak_bytes() / (megabytes * 1e6);
  std::printf("%-24s %8.1f MB  %7.0f MB/s (wall %7.0f MB/s)  %.2f bytes of memory a byte\n", name,
              megabytes, megabytes / best_processor, megabytes / best_wall, memory);
  return megabytes / best_processor >= kLeastMegabytesPerSecond && memory <= kMostBytesPerByte;
}

// What costs a splitter the most that looks back at each separator: a directive behind comments.
std::string separators_behind_comments() {
  constexpr int kLines = 4'000'000;
  std::string text;
  for (int i = 0; i < kLines; ++i) text += "#\n";
  text += "%YAML 1.1\n";
  for (int i = 0; i < kLines; ++i) text += "---\n";
  return text;
}

// Prints a line; false when a bar is missed.
bool measure_yaml_splitting() {
  const std::string text = separators_behind_comments();
  const double processor = processor_seconds();
  std::size_t parts = 0;
  for (std::string_view rest = text; !rest.empty(); ++parts) proxima::wire::take_yaml_part(rest);
  const double megabytes = static_cast<double>(text.size()) / 1e6;
  const double rate = megabytes / (processor_seconds() - processor);
  std::printf("%-24s %8.1f MB  %7.0f MB/s into %zu part\n", "YAML, separators only", megabytes,
              rate, parts);
  return rate >= kLeastMegabytesPerSecond;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) return measure(argv[1], argv[1]) ? EXIT_SUCCESS : EXIT_FAILURE;
  const auto path = std::filesystem::temp_directory_path() /
                    ("proxima-manifest-bench-" + std::to_string(seconds_now()) + ".json");
  bool good = measure_yaml_splitting();
  const struct {
    const char* name;
    bool slices;
    TextFormat format;
  } dumps[] = {
      // Smallest first: the peak of the memory never comes down again.
      {"compact", false, TextFormat::CompactJson},
      {"compact, with slices", true, TextFormat::CompactJson},
      {"as kubectl prints", false, TextFormat::Json},
      {"the same, with slices", true, TextFormat::Json},
  };
  for (const auto& dump : dumps)
    good = write_dump(path, dump.slices, dump.format) && measure(path, dump.name) && good;
  std::filesystem::remove(path);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
