// SPDX-License-Identifier: Apache-2.0
// What the records of all kinds have in common. A record is an immutable value that holds what the
// controller and the node proxy need of an object, and nothing else: texts of its own or shared
// with others like it, never names of a pool that only grows.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/ref.h"
#include "base/text.h"
#include "core/model/resource_version.h"

namespace proxima::kube {

// Borrowed. `ns` is empty for cluster-wide kinds.
struct ObjectKey {
  std::string_view ns;
  std::string_view name;
  friend auto operator<=>(const ObjectKey&, const ObjectKey&) = default;
};
// "shop/web-1"; only the name without a namespace.
std::string to_text(const ObjectKey& key);

// A resourceVersion; 0: nothing can be said about order.
using Version = std::uint64_t;
inline Version parse_version(std::string_view text) { return model::parse_resource_version(text); }

enum class Protocol : std::uint8_t { Tcp, Udp, Sctp };
std::string_view to_text(Protocol protocol);
// TCP when it is nothing known.
Protocol parse_protocol(std::string_view text);

struct LabelText {
  Text key;
  Text value;
  friend bool operator==(const LabelText&, const LabelText&) = default;
};

// Labels, a selector or annotations, ascending by key. Equal sets are one value in memory when they
// came through one decoder.
class LabelSet : public RefCounted {
 public:
  explicit LabelSet(std::vector<LabelText> labels) : labels_(std::move(labels)) {}

  const std::vector<LabelText>& all() const { return labels_; }
  // None when there is no such key.
  Text find(std::string_view key) const;
  // The same, borrowed; null when there is no such key.
  const Text* peek(std::string_view key) const;
  friend bool operator==(const LabelSet& a, const LabelSet& b) { return a.labels_ == b.labels_; }

 private:
  std::vector<LabelText> labels_;
};
using LabelSetRef = Ref<const LabelSet>;
// By what is in them; null is as good as empty.
bool same_labels(const LabelSetRef& a, const LabelSetRef& b);
Text label(const LabelSetRef& labels, std::string_view key);

// Seconds since 1970; metav1.Time is no finer.
using UnixSeconds = std::int64_t;

// What every kind but Pods, which share more, holds of its metadata.
struct RecordMeta {
  Text ns;  // none for cluster-wide kinds
  Text name;
  Text uid;
  Version version = 0;
  UnixSeconds created = 0;
  bool terminating = false;  // has a deletionTimestamp
};

}  // namespace proxima::kube
