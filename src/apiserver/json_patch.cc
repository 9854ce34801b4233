// SPDX-License-Identifier: Apache-2.0
#include "apiserver/json_patch.h"

#include <algorithm>
#include <boost/json/serialize.hpp>
#include <string>
#include <utility>

#include "apiserver/body_limits.h"
#include "apiserver/json_depth.h"
#include "apiserver/json_members.h"
#include "apiserver/json_pointer.h"

namespace proxima::apiserver {
namespace {

using boost::json::object;
using boost::json::value;

// Counting and measuring a value, beside moving one.
constexpr std::size_t kStepsToMeasureValue = 8;

Error failed(std::string message) { return Error{ErrorCode::InvalidInput, std::move(message)}; }

// The members of an operation. A member of a wrong type counts as missing: upstream's server has
// refused it before.
class Operation {
 public:
  explicit Operation(const value& from) : members_(from.if_object()) {}

  std::string kind() const { return text("op").value_or("unknown"); }
  std::optional<std::string> path() const { return text("path"); }
  std::optional<std::string> from() const { return text("from"); }
  // nullptr: none is given.
  const value* operand() const {
    return members_ == nullptr ? nullptr : members_->if_contains("value");
  }

 private:
  std::optional<std::string> text(std::string_view name) const {
    const value* found = members_ == nullptr ? nullptr : members_->if_contains(name);
    if (found == nullptr || !found->is_string()) return std::nullopt;
    return std::string(found->get_string());
  }

  const object* members_;
};

// The member; nullptr where an object has none.
Result<value*> read(const PointerTarget& at) {
  if (object* members = at.container->if_object()) return members->if_contains(at.key);
  auto& items = at.container->get_array();
  const auto position = array_position(at.key, items.size());
  if (!position) return position.error();
  return &items[*position];
}

// Without a copy: the place that it leaves is erased next.
value moved_from(value* member) { return member == nullptr ? value() : std::move(*member); }

value copy_of(const value* member) { return member == nullptr ? value() : *member; }

Status insert(const PointerTarget& at, value operand) {
  if (object* members = at.container->if_object()) {
    (*members)[at.key] = std::move(operand);
    return Unit();
  }
  auto& items = at.container->get_array();
  if (at.key == "-") {
    items.push_back(std::move(operand));
    return Unit();
  }
  const auto index = parse_array_index(at.key);
  if (!index)
    return failed("value was not a proper array index: '" + at.key + "': " + index.error().message);
  // One place more than there are items: behind the last one.
  const auto position = array_position(at.key, items.size() + 1);
  if (!position) return position.error();
  items.insert(items.begin() + static_cast<std::ptrdiff_t>(*position), std::move(operand));
  return Unit();
}

Status erase(const PointerTarget& at) {
  if (object* members = at.container->if_object()) {
    const auto found = members->find(at.key);
    if (found == members->end())
      return failed("Unable to remove nonexistent key: " + at.key + ": missing value");
    erase_at(*members, found);
    return Unit();
  }
  auto& items = at.container->get_array();
  const auto position = array_position(at.key, items.size());
  if (!position) return position.error();
  items.erase(items.begin() + static_cast<std::ptrdiff_t>(*position));
  return Unit();
}

// What an insertion or a removal there moves.
std::size_t items_moved(const PointerTarget& at) {
  if (const object* members = at.container->if_object())
    return std::min(members->size(), kOrderedMembers);
  const std::size_t size = at.container->get_array().size();
  const auto position = array_position(at.key, size);
  return position ? size - *position : 1;
}

class Patcher {
 public:
  Patcher(value document, std::size_t steps_max)
      : document_(std::move(document)),
        depth_bound_(json_depth(document_)),
        steps_max_(steps_max),
        steps_left_(steps_max) {}

  Status apply(const Operation& operation) {
    if (auto affordable = spend(1); !affordable) return affordable;
    const std::string kind = operation.kind();
    if (kind == "add") return add(operation);
    if (kind == "remove") return remove(operation);
    if (kind == "replace") return replace(operation);
    if (kind == "move") return move(operation);
    if (kind == "test") return test(operation);
    if (kind == "copy") return copy(operation);
    return failed("Unexpected kind: " + kind);
  }
  value take() && { return std::move(document_); }

 private:
  Status add(const Operation& operation) {
    const auto path = operation.path();
    if (!path) return failed("add operation failed to decode path: missing value");
    const auto at = follow_pointer(document_, *path);
    if (!at)
      return failed("add operation does not apply: doc is missing path: \"" + *path +
                    "\": missing value");
    return put(*at, copy_of(operation.operand()), "error in add for path: '" + *path + "'");
  }

  Status remove(const Operation& operation) {
    const auto path = operation.path();
    if (!path) return failed("remove operation failed to decode path: missing value");
    const auto at = follow_pointer(document_, *path);
    if (!at)
      return failed("remove operation does not apply: doc is missing path: \"" + *path +
                    "\": missing value");
    if (auto affordable = spend(items_moved(*at)); !affordable) return affordable;
    auto done = erase(*at);
    if (!done) return std::move(done).error().in("error in remove for path: '" + *path + "'");
    return Unit();
  }

  Status replace(const Operation& operation) {
    const auto path = operation.path();
    if (!path)
      return failed(
          "replace operation failed to decode path: operation missing path field: missing value");
    if (path->empty()) return replace_all(operation);
    const auto at = follow_pointer(document_, *path);
    if (!at)
      return failed("replace operation does not apply: doc is missing path: " + *path +
                    ": missing value");
    if (!read(*at))
      return failed("replace operation does not apply: doc is missing key: " + *path +
                    ": missing value");
    value operand = copy_of(operation.operand());
    const std::size_t depth = at->depth + json_depth(operand);
    if (object* members = at->container->if_object()) {
      (*members)[at->key] = std::move(operand);
    } else {
      auto& items = at->container->get_array();
      items[*array_position(at->key, items.size())] = std::move(operand);
    }
    return check_depth(depth);
  }

  Status replace_all(const Operation& operation) {
    const value* operand = operation.operand();
    if (operand == nullptr || !operand->is_structured())
      return failed("replace operation value must be object or array: %!w(<nil>)");
    document_ = *operand;
    depth_bound_ = json_depth(document_);
    return check_depth(depth_bound_);
  }

  Status move(const Operation& operation) {
    const auto from = operation.from();
    if (!from)
      return failed(
          "move operation failed to decode from: operation, missing from field: missing value");
    const auto source = follow_pointer(document_, *from);
    if (!source)
      return failed("move operation does not apply: doc is missing from path: " + *from +
                    ": missing value");
    if (auto affordable = spend(items_moved(*source)); !affordable) return affordable;
    auto moved = take_out(*source);
    if (!moved) return std::move(moved).error().in("error in move for path: '" + source->key + "'");
    const auto path = operation.path();
    if (!path)
      return failed(
          "move operation failed to decode path: operation missing path field: missing value");
    const auto target = follow_pointer(document_, *path);
    if (!target)
      return failed("move operation does not apply: doc is missing destination path: " + *path +
                    ": missing value");
    // No deeper than the whole document was below the place that it left.
    const std::size_t deepest = depth_bound_ - std::min(depth_bound_, source->depth);
    if (auto affordable = spend(items_moved(*target)); !affordable) return affordable;
    auto done = insert(*target, std::move(*moved));
    if (!done) return std::move(done).error().in("error in move for path: '" + *path + "'");
    return check_depth(target->depth + deepest);
  }

  static Result<value> take_out(const PointerTarget& source) {
    auto member = read(source);
    if (!member) return std::move(member).error();
    value taken = moved_from(*member);
    auto done = erase(source);
    if (!done) return std::move(done).error();
    return taken;
  }

  Status test(const Operation& operation) {
    const auto path = operation.path();
    if (!path)
      return failed(
          "test operation failed to decode path: operation missing path field: missing value");
    const value* found = &document_;
    if (!path->empty()) {
      const auto at = follow_pointer(document_, *path);
      if (!at)
        return failed("test operation does not apply: is missing path: " + *path +
                      ": missing value");
      auto member = read(*at);
      if (!member) return std::move(member).error().in("error in test for path: '" + *path + "'");
      found = *member;
    }
    if (equal(found, operation.operand())) return Unit();
    return failed("testing value " + *path + " failed: test failed");
  }

  Status copy(const Operation& operation) {
    const auto from = operation.from();
    if (!from)
      return failed(
          "copy operation failed to decode from: operation, missing from field: missing value");
    const auto source = follow_pointer(document_, *from);
    if (!source)
      return failed("copy operation does not apply: doc is missing from path: " + *from +
                    ": missing value");
    auto member = read(*source);
    if (!member) return std::move(member).error().in("error in copy for from: '" + *from + "'");
    value copied = copy_of(*member);
    const auto path = operation.path();
    if (!path) return failed("copy operation failed to decode path: missing value");
    const auto target = follow_pointer(document_, *path);
    if (!target)
      return failed("copy operation does not apply: doc is missing destination path: " + *path +
                    ": missing value");
    if (auto fits = count_copied(copied); !fits) return fits;
    return put(*target, std::move(copied), "error while adding value during copy");
  }

  Status count_copied(const value& copied) {
    if (!copied.is_null()) copied_bytes_ += boost::json::serialize(copied).size();
    if (copied_bytes_ <= kMaxCopiedBytes) return Unit();
    return failed("Unable to complete the copy, the accumulated size increase of copy is " +
                  std::to_string(copied_bytes_) + ", exceeding the limit " +
                  std::to_string(kMaxCopiedBytes));
  }

  Status put(const PointerTarget& at, value operand, std::string_view context) {
    const std::size_t depth = at.depth + json_depth(operand);
    if (auto affordable = spend(items_moved(at)); !affordable) return affordable;
    auto done = insert(at, std::move(operand));
    if (!done) return std::move(done).error().in(context);
    return check_depth(depth);
  }

  // `depth` may be more than it really is; only when it matters the document is measured.
  Status check_depth(std::size_t depth) {
    depth_bound_ = std::max(depth_bound_, depth);
    if (depth_bound_ > kMaxPatchedDepth) {
      const std::size_t values = count_values(document_, steps_left_);
      if (auto affordable = spend(values * kStepsToMeasureValue); !affordable) return affordable;
      depth_bound_ = json_depth(document_);
    }
    if (depth_bound_ <= kMaxPatchedDepth) return Unit();
    return failed("the document would be more than " + std::to_string(kMaxPatchedDepth) +
                  " levels deep");
  }

  Status spend(std::size_t steps) {
    if (steps > steps_left_)
      return Error{ErrorCode::Unsupported, "the JSON patch takes more than " +
                                               std::to_string(steps_max_) +
                                               " steps (list items moved or looked at)"};
    steps_left_ -= steps;
    return Unit();
  }

  // Missing and null are the same here.
  static bool equal(const value* left, const value* right) {
    const bool no_left = left == nullptr || left->is_null();
    const bool no_right = right == nullptr || right->is_null();
    return no_left || no_right ? no_left == no_right : *left == *right;
  }

  value document_;
  std::size_t depth_bound_;
  std::size_t copied_bytes_ = 0;
  std::size_t steps_max_;
  std::size_t steps_left_;
};

}  // namespace

Result<value> patch_document(value document, const boost::json::array& operations,
                             std::size_t steps_max) {
  Patcher patcher(std::move(document), steps_max);
  for (const value& operation : operations) {
    auto done = patcher.apply(Operation(operation));
    if (!done) return std::move(done).error();
  }
  return std::move(patcher).take();
}

}  // namespace proxima::apiserver
