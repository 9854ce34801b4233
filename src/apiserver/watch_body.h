// SPDX-License-Identifier: Apache-2.0
// The body of a watch: a place in the history that all watches share. It holds no events of its
// own, so a reader that is slow costs nothing; one that the history has overtaken is told so (410)
// and ended.
#pragma once

#include <chrono>
#include <memory>

#include "apiserver/list_body.h"
#include "apiserver/object_encoder.h"
#include "apiserver/store.h"
#include "base/clock.h"
#include "net/http_server.h"

namespace proxima::apiserver {

struct WatchRequest {
  ListRange range;               // `revision`: where changes begin
  bool initial_events = false;   // first everything that is there at `range.revision`, as ADDED
  bool mark_end = false;         // then a bookmark that says that this was all
  bool bookmarks = false;        // about every minute
  std::chrono::seconds timeout;  // then it ends
};

// `store` and `clock` must outlive it.
std::unique_ptr<net::BodySource> watch_body(const Store& store, const Clock& clock,
                                            WatchRequest request, ObjectEncoder encoder);

// A watch that says one thing and ends: upstream's way to refuse one.
std::unique_ptr<net::BodySource> failed_watch(const StatusError& error);

}  // namespace proxima::apiserver
