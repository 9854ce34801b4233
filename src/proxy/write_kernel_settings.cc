// SPDX-License-Identifier: Apache-2.0
// The half of kernel_settings.h that touches files.
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <system_error>

#include "proxy/kernel_settings.h"

namespace proxima::proxy {
namespace {

std::optional<std::int64_t> current_value(const std::string& path) {
  std::ifstream file(path);
  std::int64_t value = 0;
  if (file >> value) return value;
  return std::nullopt;
}

bool is_good(const KernelSetting& setting, std::optional<std::int64_t> value) {
  if (!value) return false;
  return setting.rule == KernelSetting::Rule::AtLeast ? *value >= setting.value
                                                      : *value == setting.value;
}

// 0 or the system's number of the error. The kernel judges a value when it is written, which a
// buffered file does when it is closed.
int write_value(const std::string& path, std::int64_t value) {
  std::FILE* file = std::fopen(path.c_str(), "r+");
  if (file == nullptr) return errno;
  const bool printed = std::fputs(std::to_string(value).c_str(), file) >= 0;
  const bool closed = std::fclose(file) == 0;
  return printed && closed ? 0 : errno;
}

// The same as for write_value(), before anything is written.
int why_not_writable(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "r+");
  if (file == nullptr) return errno;
  std::fclose(file);
  return 0;
}

std::string text_of(const KernelSetting& setting) {
  return setting.path + " = " + std::to_string(setting.value);
}

std::string refusal(const KernelSetting& setting, int error) {
  return text_of(setting) + ": " + std::system_category().message(error);
}

}  // namespace

std::int64_t machine_cores(const std::string& root) {
  std::ifstream file(root + "/sys/devices/system/cpu/online");
  std::string list;
  std::getline(file, list);
  return count_cores(list);
}

SettingsWritten write_kernel_settings(std::span<const KernelSetting> settings,
                                      const std::string& root) {
  SettingsWritten written;
  bool refused = false;
  for (const KernelSetting& setting : settings) {
    if (refused && setting.needs_previous) continue;
    refused = false;
    const std::string path = root + setting.path;
    if (is_good(setting, current_value(path))) continue;
    const int error = write_value(path, setting.value);
    if (error == 0) {
      written.changed.push_back(text_of(setting));
    } else {
      refused = true;
      written.refused.push_back(refusal(setting, error));
    }
  }
  return written;
}

std::vector<std::string> refused_kernel_settings(std::span<const KernelSetting> settings,
                                                 const std::string& root) {
  std::vector<std::string> all;
  bool refused = false;
  for (const KernelSetting& setting : settings) {
    if (refused && setting.needs_previous) continue;
    refused = false;
    const std::string path = root + setting.path;
    if (is_good(setting, current_value(path))) continue;
    const int error = why_not_writable(path);
    if (error == 0) continue;
    refused = true;
    all.push_back(refusal(setting, error));
  }
  return all;
}

}  // namespace proxima::proxy
