// SPDX-License-Identifier: Apache-2.0
// Work that is done somewhere else: inside a network namespace, on a thread that is there.
#pragma once

#include <functional>

#include "base/result.h"

namespace proxima {

// Runs `work` inside and returns when it is done, with its status or with the reason why inside
// could not be entered. A socket that `work` makes belongs to the inside for good, whoever uses it
// later. Safe from any thread.
using RunInside = std::function<Status(const std::function<Status()>& work)>;

// Where there is no inside: the work is simply done, here.
inline Status run_here(const std::function<Status()>& work) { return work(); }

}  // namespace proxima
