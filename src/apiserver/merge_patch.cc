// SPDX-License-Identifier: Apache-2.0
#include <boost/json/array.hpp>

#include "apiserver/go_type_names.h"
#include "apiserver/json_members.h"
#include "apiserver/patch.h"

namespace proxima::apiserver {
namespace {

using boost::json::object;
using boost::json::value;

// In what a patch adds, null means absent. Upstream looks for it inside of lists too, which the RFC
// would leave alone.
void prune_nulls(value& patch) {
  if (object* members = patch.if_object()) {
    for (auto it = members->begin(); it != members->end();) {
      if (it->value().is_null()) {
        it = erase_at(*members, it);
      } else {
        prune_nulls((it++)->value());
      }
    }
  } else if (auto* items = patch.if_array()) {
    for (value& item : *items) prune_nulls(item);
  }
}

void merge_into(object& target, const object& patch);

void merge_member(value& target, const value& patch) {
  if (target.is_object() && patch.is_object()) {
    merge_into(target.get_object(), patch.get_object());
    return;
  }
  const bool prune = !target.is_object();
  target = patch;
  if (prune) prune_nulls(target);
}

void merge_into(object& target, const object& patch) {
  for (const auto& [key, change] : patch) {
    if (change.is_null()) {
      erase_member(target, key);
    } else {
      merge_member(target[key], change);
    }
  }
}

}  // namespace

Outcome<object> apply_merge_patch(const object& original, const value& patch) {
  if (patch.is_null()) return bad_request("Invalid JSON Patch");
  if (!patch.is_object())
    return bad_request("error decoding patch: " +
                       go_cannot_unmarshal(patch, "value of type map[string]interface {}"));
  object target = original;
  merge_into(target, patch.get_object());
  return target;
}

}  // namespace proxima::apiserver
