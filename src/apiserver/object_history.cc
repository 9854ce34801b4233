// SPDX-License-Identifier: Apache-2.0
#include "apiserver/object_history.h"

#include <algorithm>

#include "base/check.h"

namespace proxima::apiserver {
namespace {

// What only the history holds of a change: the state before it, and the end of what is gone.
std::size_t bytes_of(const Change& change) {
  const std::size_t before = change.before ? change.before->json.size() : 0;
  return before + (change.type == ChangeType::Deleted ? change.object->json.size() : 0);
}

}  // namespace

void ObjectHistory::restore(const ObjectKey& key, StoredObjectPtr object) {
  PROXIMA_CHECK(changes_.empty());
  Objects& objects = of(key.kind);
  if (object) {
    objects.insert_or_assign({key.ns, key.name}, std::move(object));
  } else {
    objects.erase({key.ns, key.name});
  }
}

StoredObjectPtr ObjectHistory::find(const ObjectKey& key) const {
  const Objects& objects = of(key.kind);
  const auto found = objects.find(NameView{key.ns, key.name});
  return found == objects.end() ? nullptr : found->second;
}

const Change& ObjectHistory::append(Change change) {
  PROXIMA_CHECK(change.revision == revision() + 1);
  bytes_ += bytes_of(change);
  changes_.push_back(std::move(change));
  return changes_.back();
}

const Change& ObjectHistory::put(ObjectKey key, StoredObjectPtr object) {
  auto [at, added] = of(key.kind).try_emplace({key.ns, key.name}, object);
  StoredObjectPtr before;
  if (!added) before = std::exchange(at->second, object);
  const Revision revision = object->revision;
  return append({revision, added ? ChangeType::Added : ChangeType::Modified, std::move(key),
                 std::move(object), std::move(before)});
}

const Change& ObjectHistory::remove(ObjectKey key, StoredObjectPtr last) {
  Objects& objects = of(key.kind);
  const auto found = objects.find(NameView{key.ns, key.name});
  PROXIMA_CHECK(found != objects.end());
  StoredObjectPtr before = std::move(found->second);
  objects.erase(found);
  const Revision revision = last->revision;
  return append(
      {revision, ChangeType::Deleted, std::move(key), std::move(last), std::move(before)});
}

bool ObjectHistory::beyond_limits() const {
  return changes_.size() > 1 && (changes_.size() > limits_.changes || bytes_ > limits_.bytes);
}

void ObjectHistory::forget_oldest(std::vector<Revision>& expired) {
  const Change& oldest = changes_.front();
  if (oldest.before) expired.push_back(oldest.before->revision);
  if (oldest.type == ChangeType::Deleted) expired.push_back(oldest.revision);
  bytes_ -= bytes_of(oldest);
  changes_.pop_front();
  ++compacted_;
}

void ObjectHistory::trim(Revision newest, std::vector<Revision>& expired) {
  while (beyond_limits() && changes_.front().revision <= newest) forget_oldest(expired);
}

void ObjectHistory::compact(Revision newest, std::vector<Revision>& expired) {
  while (changes_.size() > 1 && changes_.front().revision <= newest) forget_oldest(expired);
}

void ObjectHistory::roll_back(Revision to) {
  while (revision() > to && !changes_.empty()) {
    Change& last = changes_.back();
    bytes_ -= bytes_of(last);
    Objects& objects = of(last.key.kind);
    if (last.before) {
      objects.insert_or_assign({last.key.ns, last.key.name}, std::move(last.before));
    } else {
      objects.erase({last.key.ns, last.key.name});
    }
    changes_.pop_back();
  }
}

ObjectHistory::Differences ObjectHistory::differences(const Range& range, Revision at) const {
  Differences out;
  for (Revision revision = this->revision(); revision > at; --revision) {
    const Change& change = changes_[revision - compacted_ - 1];
    if (change.key.kind != range.kind) continue;
    const NameView name(change.key.ns, change.key.name);
    if (range.includes(name)) out.insert_or_assign(name, change.before);
  }
  return out;
}

void ObjectHistory::scan(Kind kind, std::string_view ns, Revision at, const Store::Position& after,
                         const Store::Visit& visit) const {
  PROXIMA_CHECK(at >= compacted_);
  const Range range{kind, ns, {after.ns, after.name}};
  const Differences then = differences(range, at);
  const Objects& objects = of(kind);
  const NameView first = std::max(range.after, NameView{ns, {}});
  auto now = objects.upper_bound(first);
  auto old = then.begin();
  const auto now_left = [&] { return now != objects.end() && (ns.empty() || now->first.ns == ns); };
  const auto tell = [&](const NameView& name, const StoredObjectPtr& object) {
    return !object || visit({kind, std::string(name.first), std::string(name.second)}, object);
  };
  while (now_left() || old != then.end()) {
    const bool is_old = old != then.end() &&
                        (!now_left() || old->first <= NameView{now->first.ns, now->first.name});
    if (is_old) {
      if (now_left() && old->first == NameView{now->first.ns, now->first.name}) ++now;
      if (!tell(old->first, old->second)) return;
      ++old;
    } else {
      if (!tell({now->first.ns, now->first.name}, now->second)) return;
      ++now;
    }
  }
}

std::optional<std::vector<const Change*>> ObjectHistory::changes(Revision after, Revision newest,
                                                                 std::size_t limit) const {
  if (after < compacted_) return std::nullopt;
  std::vector<const Change*> out;
  const Revision last = std::min(newest, revision());
  if (after >= last) return out;
  const std::size_t count = std::min<std::size_t>(limit, last - after);
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) out.push_back(&changes_[after - compacted_ + i]);
  return out;
}

}  // namespace proxima::apiserver
