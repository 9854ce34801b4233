// SPDX-License-Identifier: Apache-2.0
// A small file that somebody else replaces now and then: a projected token, a certificate. Not safe
// for concurrent use.
#pragma once

#include <optional>
#include <string>

#include "base/clock.h"
#include "base/result.h"

namespace proxima::kube {

class RotatingFile {
 public:
  // The clock must outlive it.
  RotatingFile(std::string path, Clock& clock) : path_(std::move(path)), clock_(clock) {}

  // Read again when the last look is a while ago (50 s, as client-go does: the kubelet renews a
  // token minutes before it expires). A file that cannot be read now counts as unchanged.
  Result<std::string> text();
  // The next text() reads again.
  void look_again() { read_at_.reset(); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  Clock& clock_;
  std::optional<Clock::SteadyTime> read_at_;
  std::optional<std::string> last_;
};

}  // namespace proxima::kube
