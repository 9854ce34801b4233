// SPDX-License-Identifier: Apache-2.0
// Lists in strategic merge patches: which items are the same, and in which order they end up.
#pragma once

#include <boost/json/array.hpp>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "apiserver/status_error.h"
#include "base/result.h"

namespace proxima::apiserver {

enum class ItemKind { Object, Scalar };

// What tells an item from others: the value of its merge key (nothing when it has none), or itself.
std::optional<std::string> item_identity(const boost::json::value& item, std::string_view merge_key,
                                         ItemKind kind);

// Where each identity stands first in a list.
class ItemIndex {
 public:
  ItemIndex(const boost::json::array& items, std::string_view merge_key, ItemKind kind);
  std::optional<std::size_t> find(const boost::json::value& item) const;
  std::optional<std::size_t> find_identity(const std::optional<std::string>& identity) const;

 private:
  std::string merge_key_;
  ItemKind kind_;
  std::map<std::optional<std::string>, std::size_t> first_;
};

StatusError no_merge_key(const boost::json::value& item, std::string_view merge_key);
StatusError bad_type(std::string_view expected, const boost::json::value& actual);

// All items must be of one type that is not a list.
Outcome<ItemKind> common_item_kind(const boost::json::array& original,
                                   const boost::json::array& patch);

// Each scalar once. When one goes, the last item takes its place: upstream's way, visible in the
// order.
boost::json::array without_duplicates(boost::json::array items);

// A list after deletions, as memory that upstream goes on using: `used` items, and behind them what
// moving the others left over. Items that are added fill those places first, and where
// $setElementOrder compares with "the order of the server", all of them count.
struct SlotList {
  boost::json::array slots;
  std::size_t used = 0;
};
// `identities` in the order of their deletion; each takes all items that have it.
SlotList delete_items(const boost::json::array& items,
                      std::span<const std::optional<std::string>> identities,
                      std::string_view merge_key);

struct ListOrder {
  const boost::json::array& wanted;  // by the patch
  const boost::json::array& server;  // of the object as it was
  std::string_view merge_key;
  ItemKind kind;
};
// Items that `order.wanted` names come in its order; between them those that only the server has,
// in its order, as far as the two can be reconciled.
Outcome<boost::json::array> ordered(boost::json::array merged, const ListOrder& order);

// The items of a patch must come in the order that its $setElementOrder list gives.
Outcome<Unit> check_element_order(const boost::json::array& patch, const boost::json::array& order,
                                  std::string_view merge_key);

}  // namespace proxima::apiserver
