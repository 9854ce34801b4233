// SPDX-License-Identifier: Apache-2.0
// The body of a list, made while it is sent: what is held of it at any time is one piece. The list
// is of one revision; a reader so slow that the history has moved on meanwhile is cut.
#pragma once

#include <memory>
#include <string>
#include <vector>

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

// Everything from `range`. `store` must outlive it.
std::unique_ptr<net::BodySource> list_body(const Store& store, ListRange range,
                                           ObjectEncoder encoder, bool pretty);

// One page.
struct Page {
  std::vector<StoredObjectPtr> objects;
  ListMeta meta;
};
// At most `limit` objects after `after`; `remaining`: how many there are after it, if known.
Page read_page(const Store& store, const ListRange& range, const Store::Position& after,
               std::size_t limit, std::int64_t remaining);
std::unique_ptr<net::BodySource> page_body(Page page, ObjectEncoder encoder, bool pretty);

}  // namespace proxima::apiserver
