// SPDX-License-Identifier: Apache-2.0
#include "kube/cache_feed.h"

#include <set>

namespace proxima::kube {

template <class Record>
CacheFeed<Record>::CacheFeed(Cache<Record>& cache, std::string_view kind, OnProblem on_problem,
                             const FeedLimits& limits)
    : cache_(cache),
      limits_(limits),
      reader_(kind, std::move(on_problem)),
      lines_(limits.max_object_bytes) {}

template <class Record>
void CacheFeed<Record>::begin_list() {
  items_.clear();
  nameless_ = 0;
  finished_ = {};
}

template <class Record>
void CacheFeed<Record>::begin_page() {
  // Nothing stays of a page that was not finished: it is asked for again.
  items_.resize(finished_.items);
  nameless_ = finished_.nameless;
  page_.emplace(limits_.max_object_bytes);
}

template <class Record>
Status CacheFeed<Record>::feed_page(std::string_view piece) {
  return page_->feed(piece, [this](std::string_view json) { take_item(json); });
}

template <class Record>
void CacheFeed<Record>::take_item(std::string_view json) {
  ReadObject<Record> object = reader_.object(json);
  if (!object.readable) {
    ++nameless_;
    return;
  }
  if (!object.record) object.record = cache_.snapshot().find(object.key());
  if (object.record) items_.push_back(std::move(object.record));
}

template <class Record>
Result<ListMeta> CacheFeed<Record>::end_page() {
  auto meta = page_->finish([this](std::string_view json) { take_item(json); });
  if (meta) finished_ = {items_.size(), nameless_};
  return meta;
}

template <class Record>
void CacheFeed<Record>::keep_missing() {
  std::set<ObjectKey> listed;
  for (const RecordRef& item : items_) listed.insert(item->key());
  const auto snapshot = cache_.snapshot();
  snapshot.each([&](const RecordRef& record) {
    if (!listed.contains(record->key())) items_.push_back(record);
  });
}

template <class Record>
void CacheFeed<Record>::end_list(std::string_view version, MissingObjects missing) {
  if (missing == MissingObjects::Keep) keep_missing();
  order_.listed(version);
  cache_.replace(std::move(items_), parse_version(version));
  items_ = {};
}

template <class Record>
void CacheFeed<Record>::begin_watch() {
  lines_.clear();
  events_ = 0;
  failure_ = {};
}

template <class Record>
WatchState CacheFeed<Record>::feed_watch(std::string_view piece) {
  lines_.append(piece);
  while (const auto line = lines_.next()) {
    const WatchState state = take_line(*line);
    if (state != WatchState::Good) return state;
  }
  return lines_.is_too_long() ? WatchState::Garbage : WatchState::Good;
}

template <class Record>
WatchState CacheFeed<Record>::take_line(std::string_view line) {
  ReadEvent<Record> event = reader_.event(line);
  switch (event.type) {
    case WatchEventType::Added:
    case WatchEventType::Modified:
      return take_change(EventKind::Changed, event.object);
    case WatchEventType::Deleted:
      return take_change(EventKind::Deleted, event.object);
    case WatchEventType::Bookmark:
      order_.bookmark(event.resource_version);
      return WatchState::Good;
    case WatchEventType::Error:
      failure_ = std::move(event.failure);
      return WatchState::Failed;
    case WatchEventType::Unknown:
      break;
  }
  return WatchState::Garbage;
}

template <class Record>
WatchState CacheFeed<Record>::take_change(EventKind kind, ReadObject<Record>& object) {
  if (!object.readable) return WatchState::Garbage;
  const ObjectKey key = object.key();
  const auto cached = cache_.snapshot().find(key);
  const auto version = cached ? std::optional(version_of(*cached)) : std::nullopt;
  const News news = order_.judge(kind, key, object.version, version);
  if (news == News::Unsure) return WatchState::Unsure;
  order_.seen(kind, key, object.version);
  if (news == News::Old) return WatchState::Good;
  ++events_;
  if (kind == EventKind::Deleted) {
    cache_.erase(key, object.version);
  } else if (object.record) {
    cache_.put(std::move(object.record));
  }
  return WatchState::Good;
}

template class CacheFeed<PodRecord>;
template class CacheFeed<ServiceRecord>;
template class CacheFeed<NodeRecord>;
template class CacheFeed<NamespaceRecord>;
template class CacheFeed<EndpointSliceRecord>;
template class CacheFeed<EndpointsRecord>;
template class CacheFeed<ServiceCidrRecord>;
template class CacheFeed<EventRecord>;

}  // namespace proxima::kube
