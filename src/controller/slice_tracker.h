// SPDX-License-Identifier: Apache-2.0
// What this controller has written last, so that it neither takes its own writes for news nor
// decides on a cache that has not seen them yet. Safe for concurrent use.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>

#include "kube/endpoint_slice_record.h"

namespace proxima::controller {

using SliceRef = Ref<const kube::EndpointSliceRecord>;

// Services are keys, "shop/web".
class SliceTracker {
 public:
  // Lives while slices of a Service are written. The watch may say that one of them is gone before
  // its write is answered; the answer must not make the tracker expect it forever. One at a
  // time for a Service.
  class Writing {
   public:
    Writing(SliceTracker& tracker, std::string service);
    ~Writing();
    Writing(const Writing&) = delete;
    Writing& operator=(const Writing&) = delete;

   private:
    SliceTracker& tracker_;
    std::string service_;
  };

  // A write of ours was answered with this. Version 0: not known.
  void wrote(std::string_view service, std::string_view uid, std::int64_t generation,
             kube::Version version = 0);
  // A deletion of ours was answered.
  void deleted(std::string_view service, std::string_view uid);

  // Whether a deletion of ours was answered that the watch has not shown yet.
  bool was_deleted(std::string_view service, std::string_view uid) const;
  // Whether a slice that a watch shows is not just what was written.
  bool is_news(std::string_view service, const kube::EndpointSliceRecord& slice) const;
  // Whether the slices that a cache has of a Service are older than what was written. `listed`: the
  // cache's listed_version() before they were taken from it. A slice that was written by then and
  // is not among them was deleted while no watch told of it.
  bool is_stale(std::string_view service, std::span<const SliceRef> slices,
                kube::Version listed = 0) const;

  // The watch says that a slice is gone. Whether that is our doing. One that an earlier leader
  // wrote is not known here, and missing all the same.
  enum class Deletion { Expected, Unexpected };
  Deletion gone(std::string_view service, std::string_view uid);

  // The slice is not among those of the Service any more: it was given to another Service or
  // another controller, or somebody is deleting it and something holds it back. Upstream goes on
  // expecting it, and takes its cache for stale until it is restarted.
  void forget_slice(std::string_view service, std::string_view uid);
  void forget_service(std::string_view service);

 private:
  static constexpr std::int64_t kDeleted = -1;
  struct Known {
    std::int64_t generation = 0;
    kube::Version version = 0;
  };
  using Generations = std::map<std::string, Known, std::less<>>;  // by uid

  const Generations* find(std::string_view service) const;
  // What it was; none: nothing was known of it. The mutex is held.
  std::optional<std::int64_t> take(std::string_view service, std::string_view uid);
  // Remembers it while the Service is written. The mutex is held.
  void note_left(std::string_view service, std::string_view uid);

  mutable std::mutex mutex_;
  std::unordered_map<std::string, Generations> services_;
  // Slices that left while their Service was written: uids by Service.
  std::unordered_map<std::string, std::set<std::string, std::less<>>> left_;
};

}  // namespace proxima::controller
