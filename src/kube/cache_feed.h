// SPDX-License-Identifier: Apache-2.0
// Bytes of lists and watches → a cache. Knows nothing of connections and time; whoever feeds it
// decides what to do about what it says. For one thread.
//
// An object that cannot be decoded is reported, and the cache keeps what it had of it: an old truth
// rather than none. An item of a list that does not even tell its name makes the list unreadable,
// because nobody could say whether an object that seems to be missing is gone.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kube/cache.h"
#include "kube/event_order.h"
#include "kube/list_page.h"
#include "kube/record_reader.h"
#include "kube/reflector_plan.h"
#include "kube/watch_lines.h"

namespace proxima::kube {

struct FeedLimits {
  // One object; etcd takes 1.5 MB by default.
  std::size_t max_object_bytes = 16U << 20U;
};

// What a watch has said so far.
enum class WatchState {
  Good,
  Garbage,  // a line that is no event, or an object without a name
  Unsure,   // something may have been missed: see event_order.h
  Failed,   // the server sent an error: see failure()
};

// What happens to objects that a list lacks.
enum class MissingObjects { Delete, Keep };

template <class Record>
class CacheFeed {
 public:
  // The cache must outlive it.
  CacheFeed(Cache<Record>& cache, std::string_view kind, OnProblem on_problem,
            const FeedLimits& limits = {});

  // Forgets the items of a list that was not finished.
  void begin_list();
  void begin_page();
  // An error (Retry): the page is no good and must be asked for again.
  Status feed_page(std::string_view piece);
  Result<ListMeta> end_page();
  // Items of the pages so far that did not tell their names.
  std::size_t nameless() const { return nameless_; }
  // Makes the cache what the pages said.
  void end_list(std::string_view version, MissingObjects missing);

  void begin_watch();
  // After anything but Good the watch is over.
  WatchState feed_watch(std::string_view piece);
  const ApiFailure& failure() const { return failure_; }
  WatchProgress progress() const {
    return {order_.resume_version(), order_.newest_version(), events_};
  }

 private:
  using RecordRef = Ref<const Record>;

  void take_item(std::string_view json);
  WatchState take_line(std::string_view line);
  WatchState take_change(EventKind kind, ReadObject<Record>& object);
  void keep_missing();

  Cache<Record>& cache_;
  FeedLimits limits_;
  RecordReader<Record> reader_;
  EventOrder order_;
  std::optional<ListPageReader> page_;
  std::vector<RecordRef> items_;
  std::size_t nameless_ = 0;
  struct Finished {
    std::size_t items = 0;
    std::size_t nameless = 0;
  };
  Finished finished_;  // what the pages that were read to their ends gave
  WatchLines lines_;
  std::size_t events_ = 0;
  ApiFailure failure_;
};

extern template class CacheFeed<PodRecord>;
extern template class CacheFeed<ServiceRecord>;
extern template class CacheFeed<NodeRecord>;
extern template class CacheFeed<NamespaceRecord>;
extern template class CacheFeed<EndpointSliceRecord>;
extern template class CacheFeed<EndpointsRecord>;
extern template class CacheFeed<ServiceCidrRecord>;
extern template class CacheFeed<EventRecord>;

}  // namespace proxima::kube
