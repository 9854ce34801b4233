// SPDX-License-Identifier: Apache-2.0
#include "apiserver/strategic_lists.h"

#include <algorithm>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <numeric>
#include <set>
#include <vector>

#include "apiserver/go_text.h"
#include "apiserver/strategic_schema.h"

namespace proxima::apiserver {
namespace {

using boost::json::array;
using boost::json::value;

constexpr std::string_view kDirective = "$patch";
constexpr std::string_view kMapType = "map[string]interface {}";

bool is_delete(const value& item) {
  const auto* members = item.if_object();
  const value* directive = members == nullptr ? nullptr : members->if_contains(kDirective);
  return directive != nullptr && directive->is_string() && directive->get_string() == "delete";
}

Outcome<Unit> require_merge_keys(const array& items, std::string_view merge_key) {
  for (const value& item : items) {
    if (!item.is_object()) return bad_type(kMapType, item);
    if (!item.get_object().contains(merge_key)) return no_merge_key(item, merge_key);
  }
  return Unit();
}

using Rank = std::optional<std::size_t>;  // in a list; none: not in it

struct Ranked {
  value item;
  Rank rank;
};

// Upstream calls an item that its order does not name less than any other, and sorts by insertion
// up to this many. Such an order contradicts itself, so the steps must be the same to end the same.
constexpr std::size_t kInsertionSortMax = 20;

bool comes_before(const Rank& left, const Rank& right) {
  return left && right ? *left < *right : true;
}

void sort_as_upstream(std::vector<Ranked>& items) {
  const bool all_ranked =
      std::ranges::all_of(items, [](const Ranked& r) { return r.rank.has_value(); });
  if (all_ranked) {
    std::ranges::stable_sort(items, {}, &Ranked::rank);
    return;
  }
  if (items.size() > kInsertionSortMax) return;  // no order to speak of
  for (std::size_t i = 1; i < items.size(); ++i)
    for (std::size_t j = i; j > 0 && comes_before(items[j].rank, items[j - 1].rank); --j)
      std::swap(items[j], items[j - 1]);
}

// Sorted by `order`; those to be deleted come last.
Outcome<array> sorted_by(array items, const array& order, const ListOrder& lists) {
  array deleted;
  std::vector<Ranked> ranked;
  if (lists.kind == ItemKind::Object) {
    if (auto fine = require_merge_keys(items, lists.merge_key); !fine) return fine.error();
    if (auto fine = require_merge_keys(order, lists.merge_key); !fine) return fine.error();
  }
  const ItemIndex index(order, lists.merge_key, lists.kind);
  for (value& item : items) {
    if (lists.kind == ItemKind::Object && is_delete(item)) {
      deleted.push_back(std::move(item));
    } else {
      const Rank rank = index.find(item);
      ranked.push_back({std::move(item), rank});
    }
  }
  sort_as_upstream(ranked);
  array out;
  for (Ranked& item : ranked) out.push_back(std::move(item.item));
  for (value& item : deleted) out.push_back(std::move(item));
  return out;
}

// Puts the server's items between the patch's: before the first that the server has after them.
array interleaved(array server_only, array from_patch, const ListOrder& order) {
  const ItemIndex index(order.server, order.merge_key, order.kind);
  array out;
  std::size_t i = 0;
  std::size_t j = 0;
  while (i < server_only.size() || j < from_patch.size()) {
    bool take_server = j >= from_patch.size();
    if (i < server_only.size() && j < from_patch.size()) {
      const Rank left = index.find(server_only[i]);
      const Rank right = index.find(from_patch[j]);
      take_server = left && right && *left < *right;
    }
    out.push_back(take_server ? std::move(server_only[i++]) : std::move(from_patch[j++]));
  }
  return out;
}

struct Parts {
  array from_patch;
  array server_only;
};

Outcome<Parts> parted(array merged, const ListOrder& order) {
  const bool by_key = !order.merge_key.empty();
  const ItemKind kind = by_key ? ItemKind::Object : ItemKind::Scalar;
  const ItemIndex index(order.wanted, order.merge_key, kind);
  const auto stray =
      std::ranges::find_if(order.wanted, [](const value& v) { return !v.is_object(); });
  const auto stray_at = static_cast<std::size_t>(stray - order.wanted.begin());
  Parts parts;
  for (value& item : merged) {
    if (by_key && !item.is_object()) return bad_type(kMapType, item);
    if (by_key && !item.get_object().contains(order.merge_key))
      return no_merge_key(item, order.merge_key);
    const Rank rank = index.find(item);
    if (by_key && stray != order.wanted.end() && (!rank || *rank > stray_at))
      return plain_patch_error("value for key " + std::to_string(stray_at) + " is not a map");
    (rank ? parts.from_patch : parts.server_only).push_back(std::move(item));
  }
  return parts;
}

}  // namespace

std::optional<std::string> item_identity(const value& item, std::string_view merge_key,
                                         ItemKind kind) {
  if (kind == ItemKind::Scalar) return boost::json::serialize(item);
  const auto* members = item.if_object();
  const value* key = members == nullptr ? nullptr : members->if_contains(merge_key);
  if (key == nullptr || key->is_null()) return std::nullopt;
  return boost::json::serialize(*key);
}

ItemIndex::ItemIndex(const array& items, std::string_view merge_key, ItemKind kind)
    : merge_key_(merge_key), kind_(kind) {
  for (std::size_t i = 0; i < items.size(); ++i)
    first_.emplace(item_identity(items[i], merge_key_, kind_), i);
}

std::optional<std::size_t> ItemIndex::find(const value& item) const {
  return find_identity(item_identity(item, merge_key_, kind_));
}

std::optional<std::size_t> ItemIndex::find_identity(
    const std::optional<std::string>& identity) const {
  const auto found = first_.find(identity);
  return found == first_.end() ? std::nullopt : std::optional(found->second);
}

StatusError no_merge_key(const value& item, std::string_view merge_key) {
  return plain_patch_error("map: " + go_text(item) +
                           " does not contain declared merge key: " + std::string(merge_key));
}

StatusError bad_type(std::string_view expected, const value& actual) {
  return plain_patch_error("expected a " + std::string(expected) + ", but received a " +
                           std::string(go_type_name(actual)));
}

Outcome<ItemKind> common_item_kind(const array& original, const array& patch) {
  const value* first = nullptr;
  for (const array* list : {&original, &patch}) {
    for (const value& item : *list) {
      if (first == nullptr) {
        first = &item;
        if (item.is_null()) return plain_patch_error("null in a list that is merged");
        if (item.is_array()) {
          StatusError error =
              plain_patch_error("the server rejected our request due to an error in our request");
          error.code = 422;
          error.reason = "Invalid";
          return error;
        }
      } else if (go_type_name(*first) != go_type_name(item)) {
        return plain_patch_error("list element types are not identical: [" + go_text(original) +
                                 " " + go_text(patch) + "]");
      }
    }
  }
  if (first == nullptr) return plain_patch_error("no elements in any of the given slices");
  return first->is_object() ? ItemKind::Object : ItemKind::Scalar;
}

array without_duplicates(array items) {
  std::map<std::string, std::set<std::size_t>> places;
  std::vector<std::string> identities;
  for (std::size_t i = 0; i < items.size(); ++i) {
    identities.push_back(boost::json::serialize(items[i]));
    places[identities.back()].insert(i);
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    std::set<std::size_t>& same = places[identities[i]];
    for (auto next = same.upper_bound(i); next != same.end(); next = same.upper_bound(i)) {
      const std::size_t hole = *next;
      const std::size_t last = items.size() - 1;
      same.erase(next);
      if (hole != last) {
        std::set<std::size_t>& moved = places[identities[last]];
        moved.erase(last);
        moved.insert(hole);
        identities[hole] = identities[last];
        items[hole] = std::move(items[last]);
      }
      items.pop_back();
      identities.pop_back();
    }
  }
  return items;
}

SlotList delete_items(const array& items, std::span<const std::optional<std::string>> identities,
                      std::string_view merge_key) {
  std::map<std::optional<std::string>, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (items[i].get_object().contains(merge_key))
      places[item_identity(items[i], merge_key, ItemKind::Object)].push_back(i);
  std::vector<bool> gone(items.size());
  std::vector<std::size_t> left_over;  // the last item at the time of each deletion
  std::size_t end = items.size();
  for (const auto& identity : identities) {
    for (const std::size_t place : places[identity]) {
      while (gone[end - 1]) --end;
      left_over.push_back(end - 1);
      gone[place] = true;
    }
    places.erase(identity);
  }
  SlotList out;
  for (std::size_t i = 0; i < items.size(); ++i)
    if (!gone[i]) out.slots.push_back(items[i]);
  out.used = out.slots.size();
  for (std::size_t i = left_over.size(); i-- > 0;) out.slots.push_back(items[left_over[i]]);
  return out;
}

Outcome<array> ordered(array merged, const ListOrder& order) {
  auto parts = parted(std::move(merged), order);
  if (!parts) return parts.error();
  auto from_patch = sorted_by(std::move(parts->from_patch), order.wanted, order);
  if (!from_patch) return from_patch.error();
  auto server_only = sorted_by(std::move(parts->server_only), order.server, order);
  if (!server_only) return server_only.error();
  return interleaved(std::move(*server_only), std::move(*from_patch), order);
}

Outcome<Unit> check_element_order(const array& patch, const array& order,
                                  std::string_view merge_key) {
  if (patch.empty() || order.empty()) return Unit();
  std::vector<const value*> items;
  for (const value& item : patch) {
    if (!merge_key.empty() && !item.is_object()) return bad_type(kMapType, item);
    if (merge_key.empty() || !is_delete(item)) items.push_back(&item);
  }
  std::size_t at = 0;
  std::size_t place = 0;
  while (at < items.size() && place < order.size()) {
    const value& item = *items[at];
    if (item.is_object() && item.get_object().contains(kDirective)) {
      ++at;
      continue;
    }
    if (!merge_key.empty()) {
      if (!order[place].is_object()) return bad_type(kMapType, order[place]);
      if (!item.get_object().contains(merge_key)) return no_merge_key(item, merge_key);
      if (!order[place].get_object().contains(merge_key))
        return no_merge_key(order[place], merge_key);
    }
    const ItemKind kind = merge_key.empty() ? ItemKind::Scalar : ItemKind::Object;
    if (item_identity(item, merge_key, kind) == item_identity(order[place], merge_key, kind)) ++at;
    ++place;
  }
  if (at < items.size() && place >= order.size())
    return plain_patch_error("The order in patch list:\n" + go_text(patch) +
                             "\n doesn't match $setElementOrder list:\n" + go_text(order) + "\n");
  return Unit();
}

}  // namespace proxima::apiserver
