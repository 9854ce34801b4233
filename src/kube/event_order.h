// SPDX-License-Identifier: Apache-2.0
// Which events of a watch are news. A server sends them in the order of their versions; a proxy
// that replays, or a watch that is begun again a little earlier than where it ended, does not.
// Nothing older may replace anything newer, nothing may be told twice, and nothing may be lost, so:
// - what a list or a bookmark covers is old;
// - an object's own version decides where it is in the cache;
// - the last few versions and deletions are remembered, and a watch is resumed before them: events
//   that change places among so few are no harm, even when the stream is cut between them;
// - an object that is new, but older than all of these, was either deleted since or missed: nobody
//   can know, and a new list must say.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kube/record.h"

namespace proxima::kube {

enum class EventKind { Changed, Deleted };
enum class News { Apply, Old, Unsure };

class EventOrder {
 public:
  // Events remembered: so far may one be from its place.
  static constexpr std::size_t kWindow = 8;

  // Everything up to `version` is in the cache.
  void listed(std::string_view version);
  // The server says that it has sent everything up to `version`.
  void bookmark(std::string_view version);

  // `cached`: the version of the object in the cache, none when it is not there.
  News judge(EventKind kind, const ObjectKey& key, Version event,
             std::optional<Version> cached) const;
  // After an event that was applied, or was old.
  void seen(EventKind kind, const ObjectKey& key, Version event);

  // Where a watch goes on, and the newest that was seen: a list must not be older than that.
  std::string resume_version() const;
  std::string newest_version() const;

 private:
  struct Deletion {
    std::string ns;
    std::string name;
    Version version;
  };

  void raise_floor(Version version);
  const Deletion* deletion_of(const ObjectKey& key) const;

  std::string listed_;               // as the server wrote it: it may be no number
  Version covered_ = 0;              // by a list or a bookmark
  Version floor_ = 0;                // covered_, or the newest version that fell out of window_
  std::vector<Version> window_;      // ascending, above floor_
  std::vector<Deletion> deletions_;  // above floor_
};

}  // namespace proxima::kube
