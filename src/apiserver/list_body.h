// SPDX-License-Identifier: Apache-2.0
// The body of a list, made while it is sent: what is held of it at any time is one piece. The list
// is of one revision; a reader so slow that the history has moved on meanwhile is cut.
#pragma once

#include <chrono>
#include <limits>
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

// How many objects a body looks into for one piece, when it has to parse them to select: a
// selection that finds nothing must not keep everybody else waiting. A body that has done its share
// says Wait, with a deadline that has passed.
inline constexpr std::size_t kSelectedAtOnce = 256;
inline constexpr std::chrono::steady_clock::time_point kAtOnce{};

// Counts a body's share of one piece.
class Share {
 public:
  explicit Share(const Selection& selection)
      : left_(selection.everything() ? std::numeric_limits<std::size_t>::max() : kSelectedAtOnce) {}
  // False when the share is done.
  bool take() { return left_ > 0 && left_-- > 0; }
  bool done() const { return left_ == 0; }

 private:
  std::size_t left_;
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
