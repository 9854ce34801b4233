// SPDX-License-Identifier: Apache-2.0
// Keeps events from flooding the API server, as client-go does it: an event that comes again counts
// up the one that is there; many that differ only in their message become one; a source that does
// not stop about one object is cut. Pure but for its memory; not safe for concurrent use.
#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <string>

#include "kube/event.h"
#include "kube/lru_map.h"
#include "kube/moment.h"

namespace proxima::kube {

// Upstream's numbers.
struct EventLimits {
  std::size_t remembered = 4096;  // of each kind of memory
  std::size_t similar = 10;       // different messages, and they are combined
  std::chrono::seconds similar_within{600};
  double spam_burst = 25;  // events of one source about one object
  double spam_per_second = static_cast<double>(1.0F / 300.0F);
};

struct CorrelatedEvent {
  Event event;
  bool repeats = false;  // an event of that name is there already: patch it
};

class EventCorrelator {
 public:
  explicit EventCorrelator(const EventLimits& limits = {});

  // What to write; nullopt: nothing, it is spam.
  std::optional<CorrelatedEvent> correlate(const Event& event, Moment now);
  // The server has written it, and answered with this.
  void written(const Event& event);

 private:
  struct Similar {
    std::set<std::string> messages;
    Clock::SteadyTime last;
  };
  struct Observed {
    std::int32_t count = 0;
    WallTime first;
    std::string name;
    std::string resource_version;
  };
  struct Bucket {
    double tokens;
    Clock::SteadyTime filled;
  };
  struct Keyed {
    Event event;
    std::string key;
  };

  Keyed combine(const Event& event, Moment now);
  CorrelatedEvent observe(Keyed keyed);
  bool is_spam(const Event& event, Clock::SteadyTime now);

  EventLimits limits_;
  LruMap<Similar> similar_;
  LruMap<Observed> observed_;
  LruMap<Bucket> buckets_;
};

}  // namespace proxima::kube
