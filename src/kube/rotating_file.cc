// SPDX-License-Identifier: Apache-2.0
#include "kube/rotating_file.h"

#include "kube/config_file.h"

namespace proxima::kube {
namespace {
constexpr std::chrono::seconds kLookEvery{50};
}

Result<std::string> RotatingFile::text() {
  const auto now = clock_.steady_now();
  if (last_ && read_at_ && now - *read_at_ < kLookEvery) return *last_;
  auto text = read_config_file(path_);
  if (!text && last_) return *last_;
  if (!text) return text;
  read_at_ = now;
  last_ = std::move(text).value();
  return *last_;
}

}  // namespace proxima::kube
