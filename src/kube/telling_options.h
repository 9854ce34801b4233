// SPDX-License-Identifier: Apache-2.0
// Options of a reflector that tells, in words for a log, of objects that cannot be read and of
// requests that came to nothing.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "kube/reflector.h"
#include "net/cancellation.h"

namespace proxima::kube {

// What happened, and what the problem was. From the reflector's thread.
using TellProblem = std::function<void(std::string_view what, const std::string& problem)>;

// `seed` with the resource's name makes that of the jitter. Once `stopped` is cancelled, requests
// that fail are no news.
ReflectorOptions telling_options(const Resource& resource, std::uint64_t seed,
                                 const TellProblem& tell, const net::Cancellation& stopped);

}  // namespace proxima::kube
