// SPDX-License-Identifier: Apache-2.0
// The body of a list, made while it is sent: what is held of it at any time is one piece. The list
// is of one revision; a reader so slow that the history has moved on meanwhile is cut.
#pragma once

#include <chrono>
#include <memory>
#include <string>

#include "apiserver/object_encoder.h"
#include "apiserver/selection.h"
#include "apiserver/store.h"
#include "net/http_server.h"

namespace proxima::apiserver {

struct ListRange {
  Kind kind = Kind::Namespace;
  std::string ns;  // empty: all
  Revision revision = 0;
  Selection selection;

  bool selects(const StoredObject& object) const;
};

// What a body does for one piece at most: a selection that finds nothing, or a Table of large
// objects, must not keep everybody else waiting. A body that has done its share says Wait, with a
// deadline that has passed.
inline constexpr std::size_t kObjectsAtOnce = 4096;             // looked at
inline constexpr std::size_t kParsedBytesAtOnce = 512U << 10U;  // of objects that are parsed
// Looking up one requirement of a selection costs about as much as parsing this many bytes.
inline constexpr std::size_t kRequirementBytes = 16;
inline constexpr std::chrono::steady_clock::time_point kAtOnce{};

// Counts a body's share of one piece.
class Share {
 public:
  Share(const Selection& selection, Showing showing)
      : parses_(!selection.everything() || showing == Showing::Parsed),
        extra_(selection.requirements() * kRequirementBytes) {}
  // False when the share is done. The first object is always part of it.
  bool take(const StoredObject& object);
  bool done() const { return done_; }

 private:
  bool parses_;
  std::size_t extra_;
  std::size_t objects_ = 0;
  std::size_t bytes_ = 0;
  bool done_ = false;
};

// Everything from `range`. `store` must outlive it.
std::unique_ptr<net::BodySource> list_body(const Store& store, ListRange range,
                                           ObjectEncoder encoder, bool pretty);

// One page: at most `limit` objects after `after`.
struct PageRequest {
  Store::Position after;
  std::size_t limit = 0;
  std::int64_t remaining = -1;  // how many there are after `after`; −1: not known
};
std::unique_ptr<net::BodySource> page_body(const Store& store, ListRange range, PageRequest page,
                                           ObjectEncoder encoder, bool pretty);

}  // namespace proxima::apiserver
