// SPDX-License-Identifier: Apache-2.0
#include "apiserver/strategic_directives.h"

#include <algorithm>
#include <boost/json/value.hpp>
#include <set>

#include "apiserver/go_text.h"
#include "apiserver/json_members.h"
#include "apiserver/strategic_lists.h"
#include "apiserver/strategic_schema.h"

namespace proxima::apiserver {
namespace {

using boost::json::array;
using boost::json::object;
using boost::json::value;

constexpr std::string_view kRetainKeys = "$retainKeys";

StatusError bad_format(std::string_view what) {
  return bad_request("invalid patch format of " + std::string(what));
}

// A directive as Go's %s prints it.
std::string shown(const value& directive) {
  if (directive.is_string()) return go_text(directive);
  return "%!s(" + std::string(go_type_name(directive)) + "=" + go_text(directive) + ")";
}

}  // namespace

Outcome<std::string> key_behind(std::string_view key, std::string_view prefix,
                                std::string_view what) {
  const std::size_t slash = key.find('/');
  if (slash == std::string_view::npos || key.substr(0, slash) != prefix) return bad_format(what);
  return std::string(key.substr(slash + 1));
}

void discard_nulls(value& patch) {
  if (object* members = patch.if_object()) {
    for (auto it = members->begin(); it != members->end();) {
      if (it->value().is_null()) {
        it = erase_at(*members, it);
      } else {
        discard_nulls((it++)->value());
      }
    }
  } else if (array* items = patch.if_array()) {
    for (value& item : *items) discard_nulls(item);
  }
}

bool is_directive(const value& item) {
  return item.is_object() && item.get_object().contains(kPatchDirective);
}

void remove_directives(value& patch) {
  if (object* members = patch.if_object()) {
    for (auto it = members->begin(); it != members->end();) {
      if (is_directive(it->value())) {
        it = erase_at(*members, it);
      } else {
        remove_directives((it++)->value());
      }
    }
  } else if (array* items = patch.if_array()) {
    items->erase(std::remove_if(items->begin(), items->end(), is_directive), items->end());
    for (value& item : *items) remove_directives(item);
  }
}

Outcome<Unit> follow_patch_directive(object& original, object& patch) {
  const value directive = patch[kPatchDirective];
  if (directive == "replace") {
    erase_member(patch, kPatchDirective);
    original = std::move(patch);
    return Unit();
  }
  if (directive == "delete") {
    original.clear();
    return Unit();
  }
  return plain_patch_error("unknown patch type: " + shown(directive) +
                           " in map: " + go_text(patch));
}

Outcome<Unit> retain_keys(object& original, object& patch) {
  const value* found = patch.if_contains(kRetainKeys);
  if (found == nullptr) return Unit();
  if (!found->is_array()) return bad_format("retainKeys");
  std::set<std::string, std::less<>> retained;
  for (const value& key : found->get_array()) {
    if (key.is_structured()) return bad_format("retainKeys");
    if (key.is_string()) retained.emplace(key.get_string());
  }
  erase_member(patch, kRetainKeys);
  for (const auto& member : patch) {
    const std::string_view key = member.key();
    if (member.value().is_null() || key.starts_with(kDeleteFromList) ||
        key.starts_with(kElementOrder))
      continue;
    if (!retained.contains(key)) return bad_format("retainKeys");
  }
  for (auto it = original.begin(); it != original.end();)
    it = retained.contains(std::string_view(it->key())) ? it + 1 : erase_at(original, it);
  return Unit();
}

Outcome<ItemDirectives> read_item_directives(const array& patch, std::string_view merge_key) {
  ItemDirectives out;
  for (const value& item : patch) {
    const value* directive = item.get_object().if_contains(kPatchDirective);
    if (directive == nullptr) {
      out.plain.push_back(item);
    } else if (*directive == "delete") {
      if (!item.get_object().contains(merge_key)) return no_merge_key(item, merge_key);
      out.deleted.push_back(item_identity(item, merge_key, ItemKind::Object));
    } else if (*directive == "replace") {
      out.replaces = true;
    } else if (*directive == "merge") {
      return plain_patch_error("merging lists cannot yet be specified in the patch");
    } else {
      return plain_patch_error("unknown patch type: " + shown(*directive) +
                               " in map: " + go_text(item));
    }
  }
  return out;
}

}  // namespace proxima::apiserver
