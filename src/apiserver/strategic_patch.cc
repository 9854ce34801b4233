// SPDX-License-Identifier: Apache-2.0
// Kubernetes' strategic merge patch. It follows upstream's steps one by one, because the order of
// lists and the answers to odd patches come out of them.
#include <algorithm>
#include <boost/json/array.hpp>
#include <map>
#include <vector>

#include "apiserver/go_text.h"
#include "apiserver/go_type_names.h"
#include "apiserver/json_members.h"
#include "apiserver/patch.h"
#include "apiserver/strategic_directives.h"
#include "apiserver/strategic_lists.h"
#include "apiserver/strategic_schema.h"

namespace proxima::apiserver {
namespace {

using boost::json::array;
using boost::json::object;
using boost::json::value;

constexpr std::string_view kListType = "[]interface {}";

bool same_go_type(const value& left, const value& right) {
  return go_type_name(left) == go_type_name(right);
}

class Merger {
 public:
  Outcome<Unit> merge_map(object& original, object& patch, const StrategicSchema& schema) {
    if (patch.contains(kPatchDirective)) return follow_patch_directive(original, patch);
    if (auto done = retain_keys(original, patch); !done) return done;
    if (auto done = merge_ordered_lists(original, patch, schema); !done) return done;
    for (auto& member : patch) {
      auto done = merge_member(original, member.key(), member.value(), schema);
      if (!done) return done;
    }
    return Unit();
  }

 private:
  Outcome<Unit> merge_member(object& original, std::string_view key, value& change,
                             const StrategicSchema& schema) {
    const bool deletes = key.starts_with(kDeleteFromList);
    std::string name(key);
    if (deletes) {
      auto behind = key_behind(key, kDeleteFromList, "primitive list");
      if (!behind) return behind.error();
      if (!behind->empty()) name = *behind;
    }
    if (change.is_null()) {
      erase_member(original, name);
      return Unit();
    }
    value* target = original.if_contains(name);
    if (target != nullptr && same_go_type(*target, change))
      return merge_value({*target, change, name, deletes}, original, schema);
    if (deletes) return Unit();
    discard_nulls(change);
    take(original, name, change);
    return Unit();
  }

  // A value as it stands, unless it is a directive itself.
  static void take(object& original, std::string_view key, value& change) {
    if (is_directive(change)) {
      erase_member(original, key);
      return;
    }
    remove_directives(change);
    original[key] = std::move(change);
  }

  struct MemberChange {
    value& target;
    value& change;  // of the same type
    const std::string& key;
    bool deletes;
  };

  Outcome<Unit> merge_value(const MemberChange& member, object& original,
                            const StrategicSchema& schema) {
    if (member.target.is_object()) {
      auto field = schema.field(member.key);
      if (!field) return field.error();
      if (!field->replaces)
        return merge_map(member.target.get_object(), member.change.get_object(), field->below);
      member.target = std::move(member.change);
      return Unit();
    }
    if (!member.target.is_array()) {
      take(original, member.key, member.change);
      return Unit();
    }
    auto field = schema.list(member.key);
    if (!field) return field.error();
    auto merged =
        merge_list(member.target.get_array(), member.change.get_array(), *field, member.deletes);
    if (!merged) return merged.error();
    member.target = std::move(*merged);
    return Unit();
  }

  // Afterwards `original` gives the order that $setElementOrder compares with.
  Outcome<array> merge_list(array& original, array& patch, const StrategicSchema::Field& field,
                            bool deletes) {
    if (!field.merges && !deletes) return std::move(patch);
    // Items of one key may each merge a list below it again, so the sizes of the lists alone do not
    // bound the work.
    merged_items_ += original.size() + patch.size();
    if (merged_items_ > kMaxMergedItems)
      return request_too_large("the patch merges lists with more than " +
                               std::to_string(kMaxMergedItems) + " items altogether");
    if (original.empty() && patch.empty()) return original;
    auto kind = common_item_kind(original, patch);
    if (!kind) return kind.error();
    if (*kind == ItemKind::Object) return merge_objects(original, patch, field);
    if (deletes) return without(original, patch);
    array both = original;
    both.insert(both.end(), patch.begin(), patch.end());
    return ordered(without_duplicates(std::move(both)),
                   {patch, original, field.merge_key, ItemKind::Scalar});
  }

  static array without(const array& items, const array& unwanted) {
    const ItemIndex index(unwanted, {}, ItemKind::Scalar);
    array out;
    for (const value& item : items)
      if (!index.find(item)) out.push_back(item);
    return out;
  }

  Outcome<array> merge_objects(array& original, array& patch, const StrategicSchema::Field& field) {
    if (field.merge_key.empty())
      return plain_patch_error("cannot merge lists without merge key for " +
                               std::string(field.below.kind()));
    auto directives = read_item_directives(patch, field.merge_key);
    if (!directives) return directives.error();
    SlotList slots = delete_items(original, directives->deleted, field.merge_key);
    original = slots.slots;
    const array none;
    array& plain = directives->plain;
    if (directives->replaces)
      return ordered(plain, {none, plain, field.merge_key, ItemKind::Object});
    const array survivors(slots.slots.begin(), slots.slots.begin() + slots.used);
    const array keys = plain;  // merging takes the items; their keys give the order
    array merged = survivors;
    if (auto done = merge_items(merged, plain, field); !done) return done.error();
    for (std::size_t i = survivors.size(); i < std::min(merged.size(), original.size()); ++i)
      original[i] = merged[i];
    return ordered(std::move(merged), {keys, survivors, field.merge_key, ItemKind::Object});
  }

  Outcome<Unit> merge_items(array& merged, array& patch, const StrategicSchema::Field& field) {
    std::map<std::optional<std::string>, std::size_t> places;
    auto note = [&](std::size_t at) {
      if (merged[at].get_object().contains(field.merge_key))
        places.emplace(item_identity(merged[at], field.merge_key, ItemKind::Object), at);
    };
    for (std::size_t i = 0; i < merged.size(); ++i) note(i);
    for (value& item : patch) {
      if (!item.get_object().contains(field.merge_key)) return no_merge_key(item, field.merge_key);
      const auto found = places.find(item_identity(item, field.merge_key, ItemKind::Object));
      if (found == places.end()) {
        merged.push_back(std::move(item));
        note(merged.size() - 1);
        continue;
      }
      auto done = merge_map(merged[found->second].get_object(), item.get_object(), field.below);
      if (!done) return done;
    }
    return Unit();
  }

  // Lists that come with a $setElementOrder, which wins over the order of the patch and the object.
  Outcome<Unit> merge_ordered_lists(object& original, object& patch,
                                    const StrategicSchema& schema) {
    std::vector<std::string> keys;
    for (const auto& member : patch)
      if (std::string_view(member.key()).starts_with(kElementOrder))
        keys.emplace_back(member.key());
    for (const std::string& key : keys) {
      const value order = patch[key];
      erase_member(patch, key);
      if (!order.is_array()) return bad_type(kListType, order);
      auto name = key_behind(key, kElementOrder, "setElementOrder list");
      if (!name) return name.error();
      auto done = merge_ordered_list(original, patch, {*name, order.get_array()}, schema);
      if (!done) return done;
      erase_member(patch, *name);
    }
    return Unit();
  }

  struct OrderedList {
    const std::string& name;
    const array& order;
  };

  Outcome<Unit> merge_ordered_list(object& original, object& patch, const OrderedList& list,
                                   const StrategicSchema& schema) {
    value* server = original.if_contains(list.name);
    value* change = patch.if_contains(list.name);
    if (server != nullptr && !server->is_array()) return bad_type(kListType, *server);
    if (change != nullptr && !change->is_array()) return bad_type(kListType, *change);
    auto field = schema.list(list.name);
    if (!field) return field.error();
    array empty;
    array& server_items = server == nullptr ? empty : server->get_array();
    array changed_items = change == nullptr ? array() : change->get_array();
    if (auto fine = check_element_order(changed_items, list.order, field->merge_key); !fine)
      return fine;
    if (server == nullptr && change == nullptr) return Unit();
    const auto kind = common_item_kind(server_items, changed_items);
    auto merged = merge_unordered(server, change, *field);
    if (!merged) return merged.error();
    return put_in_order(original, std::move(*merged), server_items, {list, *field, kind});
  }

  // The contents, before their order is looked at.
  Outcome<array> merge_unordered(value* server, value* change,
                                 const StrategicSchema::Field& field) {
    if (change == nullptr) return server->get_array();
    if (server != nullptr)
      return merge_list(server->get_array(), change->get_array(), field, false);
    remove_directives(*change);
    return change->get_array();
  }

  struct OrderingRules {
    const OrderedList& list;
    const StrategicSchema::Field& field;
    const Outcome<ItemKind>& kind;
  };

  static Outcome<Unit> put_in_order(object& original, array merged, const array& server_items,
                                    const OrderingRules& rules) {
    const std::string_view merge_key = rules.field.merge_key;
    const auto is_structured = [](const value& item) { return item.is_structured(); };
    if (merge_key.empty() && (std::ranges::any_of(merged, is_structured) ||
                              std::ranges::any_of(rules.list.order, is_structured)))
      return plain_patch_error("cannot order a list of objects without a merge key");
    if (!rules.kind) return rules.kind.error();
    auto both =
        ordered(std::move(merged), {rules.list.order, server_items, merge_key, *rules.kind});
    if (!both) return both.error();
    original[rules.list.name] = std::move(*both);
    return Unit();
  }

  std::size_t merged_items_ = 0;
};

}  // namespace

Outcome<object> apply_strategic_patch(const TypeInfo& type, const object& original,
                                      const value& patch) {
  if (patch.is_null()) return original;
  if (!patch.is_object())
    return bad_request(go_cannot_unmarshal(patch, "value of type map[string]interface {}"));
  object target = original;
  object change = patch.get_object();
  auto done = Merger().merge_map(target, change, StrategicSchema(type));
  if (!done) return done.error();
  return target;
}

}  // namespace proxima::apiserver
