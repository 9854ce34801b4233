// SPDX-License-Identifier: Apache-2.0
// An ordered set of shared values that can be copied in no time: a B+ tree whose nodes are shared
// among copies. A change copies the nodes on its way down that another copy sees too, and changes
// the others in place, so one writer without readers pays for no copies at all. Copies may be read
// by any number of threads; one particular copy is changed by one thread at a time.
//
// Order is a stateless class: static bool less(a, b) over values, and over a value and any key that
// is looked for. Equal: neither is less.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/ref.h"

namespace proxima {

template <class T, class Order>
class PersistentMap {
 public:
  using Value = Ref<const T>;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }

  // Null when there is none. Borrowed from this copy.
  template <class Key>
  const T* find(const Key& key) const;
  // The same, to be kept.
  template <class Key>
  Value get(const Key& key) const {
    return Value(find(key));
  }

  // Puts `value` in, and returns what it took the place of.
  Value put(Value value);
  // Takes out what equals `key`, and returns it; null when there was none.
  template <class Key>
  Value erase(const Key& key);
  // From values in ascending order, none equal to another: full nodes and no searching.
  static PersistentMap from_sorted(const std::vector<Value>& values);

  // visit(const Value&) → bool in ascending order, until it says false.
  template <class Visit>
  void each(Visit visit) const {
    if (root_) visit_all(*root_, visit);
  }
  // The same from the first that is not less than `key` on.
  template <class Key, class Visit>
  void each_from(const Key& key, Visit visit) const {
    if (root_) visit_from(*root_, key, visit);
  }

 private:
  static constexpr std::size_t kFanOut = 16;
  // Two neighbours are merged when together they have no more than this: a node that is just made
  // can take and lose some before it is split or merged again.
  static constexpr std::size_t kMerged = 12;

  struct Node : RefCounted {
    explicit Node(bool is_leaf) : leaf(is_leaf) {}
    Node(const Node&) = default;
    virtual ~Node() = default;
    bool leaf;
    std::uint16_t count = 0;
  };
  using NodeRef = Ref<Node>;
  struct Leaf final : Node {
    Leaf() : Node(true) {}
    std::array<Value, kFanOut> values;
  };
  struct Inner final : Node {
    Inner() : Node(false) {}
    std::array<NodeRef, kFanOut> children;
    // The first value below each child, which owns it: a plain pointer is enough.
    std::array<const T*, kFanOut> first{};
  };
  // What an insertion leaves behind: the value that was there, and the right half of a node that
  // had to be split.
  struct Inserted {
    Value replaced;
    NodeRef right;
  };

  static Leaf& leaf_of(Node& node) { return static_cast<Leaf&>(node); }
  static Inner& inner_of(Node& node) { return static_cast<Inner&>(node); }
  static const Leaf& leaf_of(const Node& node) { return static_cast<const Leaf&>(node); }
  static const Inner& inner_of(const Node& node) { return static_cast<const Inner&>(node); }
  static const T* first_of(const Node& node) {
    return node.leaf ? leaf_of(node).values[0].get() : inner_of(node).first[0];
  }

  // Makes `ref` the only reference to its node.
  static Node& own(NodeRef& ref);
  template <class Key>
  static std::size_t place_in(const Leaf& leaf, const Key& key);
  template <class Key>
  static std::size_t child_of(const Inner& inner, const Key& key);

  template <class Slots, class Slot>
  static void open_slot(Slots& slots, std::size_t count, std::size_t at, Slot slot);
  template <class Slots>
  static void close_slot(Slots& slots, std::size_t count, std::size_t at);

  static Inserted insert(Node& node, Value value);
  static Inserted insert_into_leaf(Leaf& leaf, Value value);
  static NodeRef insert_child(Inner& inner, std::size_t at, NodeRef child);
  template <class N>
  static Ref<N> split(N& left, std::size_t at);
  static void set_child(Inner& inner, std::size_t at, NodeRef child);

  template <class Key>
  static Value remove(Node& node, const Key& key);
  static void remove_child(Inner& inner, std::size_t at);
  static bool merge_right(Inner& inner, std::size_t left);

  template <class Visit>
  static bool visit_all(const Node& node, Visit& visit);
  template <class Key, class Visit>
  static bool visit_from(const Node& node, const Key& key, Visit& visit);

  NodeRef root_;
  std::size_t size_ = 0;
};

template <class T, class Order>
typename PersistentMap<T, Order>::Node& PersistentMap<T, Order>::own(NodeRef& ref) {
  if (!ref.is_unique()) {
    ref = ref->leaf ? NodeRef(new Leaf(leaf_of(*ref))) : NodeRef(new Inner(inner_of(*ref)));
  }
  return *ref;
}

// The first value of `leaf` that is not less than `key`.
template <class T, class Order>
template <class Key>
std::size_t PersistentMap<T, Order>::place_in(const Leaf& leaf, const Key& key) {
  const auto end = leaf.values.begin() + leaf.count;
  const auto at =
      std::lower_bound(leaf.values.begin(), end, key,
                       [](const Value& value, const Key& k) { return Order::less(*value, k); });
  return static_cast<std::size_t>(at - leaf.values.begin());
}

// The child that has `key` if any has.
template <class T, class Order>
template <class Key>
std::size_t PersistentMap<T, Order>::child_of(const Inner& inner, const Key& key) {
  const auto end = inner.first.begin() + inner.count;
  const auto after =
      std::upper_bound(inner.first.begin(), end, key,
                       [](const Key& k, const T* value) { return Order::less(k, *value); });
  const auto at = static_cast<std::size_t>(after - inner.first.begin());
  return at == 0 ? 0 : at - 1;
}

template <class T, class Order>
template <class Key>
const T* PersistentMap<T, Order>::find(const Key& key) const {
  const Node* node = root_.get();
  if (node == nullptr) return nullptr;
  while (!node->leaf) {
    const Inner& inner = inner_of(*node);
    node = inner.children[child_of(inner, key)].get();
  }
  const Leaf& leaf = leaf_of(*node);
  const std::size_t at = place_in(leaf, key);
  if (at == leaf.count || Order::less(key, *leaf.values[at])) return nullptr;
  return leaf.values[at].get();
}

template <class T, class Order>
template <class Slots, class Slot>
void PersistentMap<T, Order>::open_slot(Slots& slots, std::size_t count, std::size_t at,
                                        Slot slot) {
  std::move_backward(slots.begin() + at, slots.begin() + count, slots.begin() + count + 1);
  slots[at] = std::move(slot);
}

template <class T, class Order>
template <class Slots>
void PersistentMap<T, Order>::close_slot(Slots& slots, std::size_t count, std::size_t at) {
  std::move(slots.begin() + at + 1, slots.begin() + count, slots.begin() + at);
  slots[count - 1] = {};
}

template <class T, class Order>
void PersistentMap<T, Order>::set_child(Inner& inner, std::size_t at, NodeRef child) {
  inner.first[at] = first_of(*child);
  inner.children[at] = std::move(child);
}

// Moves what is from `at` on to a new node on the right.
template <class T, class Order>
template <class N>
Ref<N> PersistentMap<T, Order>::split(N& left, std::size_t at) {
  auto right = make_ref<N>();
  for (std::size_t i = at; i < left.count; ++i) {
    if constexpr (std::is_same_v<N, Leaf>) {
      right->values[i - at] = std::exchange(left.values[i], {});
    } else {
      set_child(*right, i - at, std::exchange(left.children[i], {}));
    }
  }
  right->count = static_cast<std::uint16_t>(left.count - at);
  left.count = static_cast<std::uint16_t>(at);
  return right;
}

template <class T, class Order>
typename PersistentMap<T, Order>::Inserted PersistentMap<T, Order>::insert_into_leaf(Leaf& leaf,
                                                                                     Value value) {
  const std::size_t at = place_in(leaf, *value);
  if (at < leaf.count && !Order::less(*value, *leaf.values[at]))
    return {.replaced = std::exchange(leaf.values[at], std::move(value)), .right = {}};
  if (leaf.count < kFanOut) {
    open_slot(leaf.values, leaf.count++, at, std::move(value));
    return {};
  }
  // Values often come in ascending order: then the left one stays full.
  auto right = split(leaf, at == kFanOut ? kFanOut : kFanOut / 2);
  Leaf& target = at < leaf.count ? leaf : *right;
  open_slot(target.values, target.count++, at < leaf.count ? at : at - leaf.count,
            std::move(value));
  return {.replaced = {}, .right = NodeRef(right.get())};
}

// Returns the right half when `inner` had to be split.
template <class T, class Order>
typename PersistentMap<T, Order>::NodeRef PersistentMap<T, Order>::insert_child(Inner& inner,
                                                                                std::size_t at,
                                                                                NodeRef child) {
  Ref<Inner> right;
  Inner* target = &inner;
  if (inner.count == kFanOut) {
    right = split(inner, at == kFanOut ? kFanOut : kFanOut / 2);
    if (at >= inner.count) {
      at -= inner.count;
      target = right.get();
    }
  }
  const T* first = first_of(*child);
  open_slot(target->first, target->count, at, first);
  open_slot(target->children, target->count, at, std::move(child));
  ++target->count;
  return NodeRef(right.get());
}

template <class T, class Order>
typename PersistentMap<T, Order>::Inserted PersistentMap<T, Order>::insert(Node& node,
                                                                           Value value) {
  if (node.leaf) return insert_into_leaf(leaf_of(node), std::move(value));
  Inner& inner = inner_of(node);
  const std::size_t at = child_of(inner, *value);
  Node& child = own(inner.children[at]);
  Inserted inserted = insert(child, std::move(value));
  inner.first[at] = first_of(child);
  if (inserted.right) inserted.right = insert_child(inner, at + 1, std::move(inserted.right));
  return inserted;
}

template <class T, class Order>
typename PersistentMap<T, Order>::Value PersistentMap<T, Order>::put(Value value) {
  if (!root_) root_ = NodeRef(new Leaf());
  Inserted inserted = insert(own(root_), std::move(value));
  if (inserted.right) {
    auto root = make_ref<Inner>();
    set_child(*root, 0, std::move(root_));
    set_child(*root, 1, std::move(inserted.right));
    root->count = 2;
    root_ = NodeRef(root.get());
  }
  if (!inserted.replaced) ++size_;
  return std::move(inserted.replaced);
}

template <class T, class Order>
void PersistentMap<T, Order>::remove_child(Inner& inner, std::size_t at) {
  close_slot(inner.first, inner.count, at);
  close_slot(inner.children, inner.count, at);
  --inner.count;
}

// Merges child `left` and the one after it when they fit into one.
template <class T, class Order>
bool PersistentMap<T, Order>::merge_right(Inner& inner, std::size_t left) {
  if (left + 1 >= inner.count) return false;
  if (inner.children[left]->count + inner.children[left + 1]->count > kMerged) return false;
  Node& to = own(inner.children[left]);
  Node& from = own(inner.children[left + 1]);
  for (std::size_t i = 0; i < from.count; ++i) {
    if (to.leaf) {
      leaf_of(to).values[to.count++] = std::move(leaf_of(from).values[i]);
    } else {
      set_child(inner_of(to), to.count++, std::move(inner_of(from).children[i]));
    }
  }
  from.count = 0;
  remove_child(inner, left + 1);
  return true;
}

// `key` is below `node`.
template <class T, class Order>
template <class Key>
typename PersistentMap<T, Order>::Value PersistentMap<T, Order>::remove(Node& node,
                                                                        const Key& key) {
  if (node.leaf) {
    Leaf& leaf = leaf_of(node);
    const std::size_t at = place_in(leaf, key);
    Value removed = leaf.values[at];
    close_slot(leaf.values, leaf.count--, at);
    return removed;
  }
  Inner& inner = inner_of(node);
  const std::size_t at = child_of(inner, key);
  Node& child = own(inner.children[at]);
  Value removed = remove(child, key);
  if (child.count == 0) {
    remove_child(inner, at);
  } else {
    inner.first[at] = first_of(child);
    if (!merge_right(inner, at) && at > 0) merge_right(inner, at - 1);
  }
  return removed;
}

template <class T, class Order>
template <class Key>
typename PersistentMap<T, Order>::Value PersistentMap<T, Order>::erase(const Key& key) {
  if (find(key) == nullptr) return {};
  Value removed = remove(own(root_), key);
  if (--size_ == 0) root_ = {};
  while (root_ && !root_->leaf && root_->count == 1) {
    NodeRef only = inner_of(*root_).children[0];
    root_ = std::move(only);
  }
  return removed;
}

template <class T, class Order>
PersistentMap<T, Order> PersistentMap<T, Order>::from_sorted(const std::vector<Value>& values) {
  PersistentMap map;
  std::vector<NodeRef> level;
  for (std::size_t i = 0; i < values.size(); i += kFanOut) {
    auto leaf = make_ref<Leaf>();
    leaf->count = static_cast<std::uint16_t>(std::min(kFanOut, values.size() - i));
    std::copy_n(values.begin() + i, leaf->count, leaf->values.begin());
    level.emplace_back(leaf.get());
  }
  while (level.size() > 1) {
    std::vector<NodeRef> above;
    for (std::size_t i = 0; i < level.size(); i += kFanOut) {
      auto inner = make_ref<Inner>();
      inner->count = static_cast<std::uint16_t>(std::min(kFanOut, level.size() - i));
      for (std::size_t at = 0; at < inner->count; ++at) set_child(*inner, at, level[i + at]);
      above.emplace_back(inner.get());
    }
    level = std::move(above);
  }
  if (!level.empty()) map.root_ = level[0];
  map.size_ = values.size();
  return map;
}

template <class T, class Order>
template <class Visit>
bool PersistentMap<T, Order>::visit_all(const Node& node, Visit& visit) {
  for (std::size_t i = 0; i < node.count; ++i) {
    const bool on =
        node.leaf ? visit(leaf_of(node).values[i]) : visit_all(*inner_of(node).children[i], visit);
    if (!on) return false;
  }
  return true;
}

template <class T, class Order>
template <class Key, class Visit>
bool PersistentMap<T, Order>::visit_from(const Node& node, const Key& key, Visit& visit) {
  if (node.leaf) {
    const Leaf& leaf = leaf_of(node);
    for (std::size_t i = place_in(leaf, key); i < leaf.count; ++i)
      if (!visit(leaf.values[i])) return false;
    return true;
  }
  const Inner& inner = inner_of(node);
  const std::size_t at = child_of(inner, key);
  if (!visit_from(*inner.children[at], key, visit)) return false;
  for (std::size_t i = at + 1; i < inner.count; ++i)
    if (!visit_all(*inner.children[i], visit)) return false;
  return true;
}

}  // namespace proxima
