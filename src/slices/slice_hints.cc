// SPDX-License-Identifier: Apache-2.0
#include "slices/slice_hints.h"

#include <algorithm>

#include "base/check.h"
#include "slices/slice_annotation.h"

namespace proxima::slices {
namespace {

using kube::EndpointRecord;
using kube::EndpointSliceRecord;
using plan::EndpointHint;

bool is_ready(const EndpointRecord& endpoint) { return endpoint.ready == model::Condition::True; }

bool is_hinted(const EndpointRecord& endpoint) {
  return !endpoint.zone_hints.empty() || !endpoint.node_hints.empty();
}

void say(std::vector<Text>& hints, std::span<const Text> wanted) {
  if (!std::ranges::equal(hints, wanted)) hints.assign(wanted.begin(), wanted.end());
}

class Writing {
 public:
  explicit Writing(const HintOrder& order) : order_(order), next_(order.hints.begin()) {}

  // In the order of the hints.
  void write(EndpointSliceRecord& slice) {
    const Text routing = routing_of(slice);
    if (label(slice.annotations, model::kRoutingAnnotation) != routing)
      slice.annotations = with_annotation(slice.annotations, model::kRoutingAnnotation, routing);
    for (EndpointRecord& endpoint : slice.endpoints) write(endpoint, *next_++);
  }
  // Whether the slice says something else than it should; then it is to be written from `again`.
  bool differs(const EndpointSliceRecord& slice) {
    again_ = next_;
    const bool says_more = label(slice.annotations, model::kRoutingAnnotation) != routing_of(slice);
    next_ += static_cast<std::ptrdiff_t>(slice.endpoints.size());
    if (says_more) return true;
    auto hint = again_;
    for (const EndpointRecord& endpoint : slice.endpoints) {
      if (differs(endpoint, *hint++)) return true;
    }
    return false;
  }
  // The slice that differs() was asked about last.
  SliceDraft rewritten(const SliceRef& slice) {
    SliceDraft draft{.value = *slice, .before = slice};
    next_ = again_;
    write(draft.value);
    return draft;
  }

 private:
  // Of the slice whose hints are next: what is published, as long as nothing has moved much.
  Text routing_of(const EndpointSliceRecord& slice) const {
    if (!order_.routing) return {};
    const std::size_t count = slice.endpoints.size();
    const auto first = static_cast<std::size_t>(next_ - order_.hints.begin());
    const route::SliceRouting wanted = order_.routing(first, count);
    Text text = label(slice.annotations, model::kRoutingAnnotation);
    if (text) {
      const auto published = route::parse_slice_routing(text.view(), count);
      if (published && !has_moved(*published, wanted)) return text;
    }
    const std::string made = render(wanted);
    return made.empty() ? Text() : Text(made);
  }
  // Valid until the next call.
  std::span<const Text> zone_hints(const EndpointHint& hint) const {
    if (hint.shared.size > 0) {
      shared_.clear();
      for (const std::uint32_t zone :
           order_.shared_zones.subspan(hint.shared.begin, hint.shared.size))
        shared_.push_back(order_.zones[zone]);
      return shared_;
    }
    if (!hint.zone) return {};
    return order_.zones.subspan(hint.zone.value(), 1);
  }
  std::span<const Text> node_hints(const EndpointRecord& endpoint, const EndpointHint& hint) const {
    const bool own = (hint.for_own_node || order_.own_nodes) && endpoint.node.has_value();
    return own ? std::span(&endpoint.node, 1) : std::span<const Text>();
  }

  bool differs(const EndpointRecord& endpoint, const EndpointHint& hint) const {
    if (order_.rule == HintRule::None) return is_hinted(endpoint);
    if (!is_ready(endpoint)) return false;
    return !std::ranges::equal(endpoint.zone_hints, zone_hints(hint)) ||
           !std::ranges::equal(endpoint.node_hints, node_hints(endpoint, hint));
  }

  void write(EndpointRecord& endpoint, const EndpointHint& hint) const {
    const bool ready = is_ready(endpoint);
    if (!ready && order_.rule == HintRule::Own) return;
    const bool hinted = ready && order_.rule != HintRule::None;
    say(endpoint.zone_hints, hinted ? zone_hints(hint) : std::span<const Text>());
    say(endpoint.node_hints, hinted ? node_hints(endpoint, hint) : std::span<const Text>());
  }

  const HintOrder& order_;
  mutable std::vector<Text> shared_;
  std::span<const EndpointHint>::iterator next_;
  std::span<const EndpointHint>::iterator again_;
};

std::size_t endpoint_count(const FamilyDraft& draft) {
  std::size_t count = 0;
  for (const SliceDraft& slice : draft.creates) count += slice.value.endpoints.size();
  for (const SliceDraft& slice : draft.updates) count += slice.value.endpoints.size();
  for (const SliceRef& slice : draft.unchanged) count += slice->endpoints.size();
  return count;
}

}  // namespace

void write_hints(const HintOrder& order, FamilyDraft& draft) {
  PROXIMA_CHECK(order.hints.size() == endpoint_count(draft));
  Writing writing(order);
  for (SliceDraft& slice : draft.creates) writing.write(slice.value);
  for (SliceDraft& slice : draft.updates) writing.write(slice.value);
  std::erase_if(draft.unchanged, [&](const SliceRef& slice) {
    if (!writing.differs(*slice)) return false;
    draft.updates.push_back(writing.rewritten(slice));
    return true;
  });
}

}  // namespace proxima::slices
