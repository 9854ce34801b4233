// SPDX-License-Identifier: Apache-2.0
// Whatever a server sends as a page of a list or as a watch: no crash, and the same objects however
// the bytes are cut into pieces. The first byte says how they are cut.
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "base/check.h"
#include "kube/cache_feed.h"

namespace {

using namespace proxima::kube;

using Held = std::map<std::string, Version>;

template <class Record>
Held feed(std::string_view bytes, std::size_t piece) {
  Cache<Record> cache;
  Held told;
  cache.subscribe([&](const Change<Record>& change) {
    const std::string key = to_text(change.key());
    PROXIMA_CHECK(told.contains(key) == static_cast<bool>(change.before));
    if (change.now) {
      told[key] = version_of(*change.now);
    } else {
      told.erase(key);
    }
  });
  CacheFeed<Record> feed(cache, "Thing", {}, {.max_object_bytes = 1U << 20U});
  feed.begin_list();
  feed.begin_page();
  bool good = true;
  for (std::size_t at = 0; at < bytes.size() && good; at += piece)
    good = feed.feed_page(bytes.substr(at, piece)).has_value();
  if (good) {
    if (const auto meta = feed.end_page())
      feed.end_list(meta->resource_version, MissingObjects::Delete);
  }
  feed.begin_watch();
  WatchState state = WatchState::Good;
  for (std::size_t at = 0; at < bytes.size() && state == WatchState::Good; at += piece)
    state = feed.feed_watch(bytes.substr(at, piece));
  Held held;
  cache.snapshot().each(
      [&](const auto& record) { held[to_text(record->key())] = version_of(*record); });
  PROXIMA_CHECK(held == told);
  return held;
}

template <class Record>
void check(std::string_view bytes, std::size_t piece) {
  PROXIMA_CHECK(feed<Record>(bytes, piece) == feed<Record>(bytes, bytes.size() + 1));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::size_t piece = 1 + data[0] % 64;
  check<PodRecord>(bytes, piece);
  check<ServiceRecord>(bytes, piece);
  check<EndpointSliceRecord>(bytes, piece);
  check<NodeRecord>(bytes, piece);
  return 0;
}
