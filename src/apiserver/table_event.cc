// SPDX-License-Identifier: Apache-2.0
// Events of both groups: the fields of the older one where there are two names.
#include "apiserver/json_lookup.h"

#include <boost/json/value.hpp>
#include "apiserver/table_cells.h"
#include "base/ascii.h"

namespace proxima::apiserver {
namespace {

using boost::json::object;

// The first of two names that says something.
std::string_view either(const object& event, std::string_view core, std::string_view newer) {
  return or_else(text_at(event, core), text_at(event, newer));
}

// "pod/web-1"
std::string target(const object& event) {
  std::string out = lower_case(either(event, "involvedObject.kind", "regarding.kind"));
  const auto name = either(event, "involvedObject.name", "regarding.name");
  if (!name.empty()) out.append("/").append(name);
  return out;
}

// "kubelet, node-1"
std::string source(const object& event) {
  std::string out(or_else(either(event, "source.component", "deprecatedSource.component"),
                          either(event, "reportingComponent", "reportingController")));
  const auto host = or_else(either(event, "source.host", "deprecatedSource.host"),
                            text_at(event, "reportingInstance"));
  if (!host.empty()) out.append(", ").append(host);
  return out;
}

struct Sightings {
  std::string first;
  std::string last;
  std::int64_t count;
};

Sightings sightings(const object& event, TableTime now) {
  const auto first_time = either(event, "firstTimestamp", "deprecatedFirstTimestamp");
  const auto last_time = either(event, "lastTimestamp", "deprecatedLastTimestamp");
  Sightings seen;
  seen.first = age_of(or_else(first_time, text_at(event, "eventTime")), now);
  seen.last = last_time.empty() ? seen.first : age_of(last_time, now);
  const std::int64_t old_count = number_at(event, "count");
  seen.count = old_count != 0 ? old_count : number_at(event, "deprecatedCount");
  const auto* series = find_at(event, "series");
  if (series != nullptr && series->is_object()) {
    seen.last = age_of(text_at(event, "series.lastObservedTime"), now);
    seen.count = number_at(event, "series.count");
  } else if (seen.count == 0) {
    seen.count = 1;  // an event of the newer group that happened once carries no count
  }
  return seen;
}

}  // namespace

boost::json::array event_cells(const object& event, TableTime now) {
  const Sightings seen = sightings(event, now);
  return {seen.last,
          text_at(event, "type"),
          text_at(event, "reason"),
          target(event),
          either(event, "involvedObject.fieldPath", "regarding.fieldPath"),
          source(event),
          trimmed(either(event, "message", "note")),
          seen.first,
          seen.count,
          text_at(event, "metadata.name")};
}

}  // namespace proxima::apiserver
