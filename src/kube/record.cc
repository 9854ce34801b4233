// SPDX-License-Identifier: Apache-2.0
#include "kube/record.h"

#include <algorithm>
#include <charconv>

namespace proxima::kube {

std::string to_text(const ObjectKey& key) {
  if (key.ns.empty()) return std::string(key.name);
  return std::string(key.ns) + "/" + std::string(key.name);
}

std::string_view to_text(Protocol protocol) {
  switch (protocol) {
    case Protocol::Tcp:
      return "TCP";
    case Protocol::Udp:
      return "UDP";
    case Protocol::Sctp:
      return "SCTP";
  }
  return "TCP";
}

Protocol parse_protocol(std::string_view text) {
  if (text == "UDP") return Protocol::Udp;
  if (text == "SCTP") return Protocol::Sctp;
  return Protocol::Tcp;
}

const Text* LabelSet::peek(std::string_view key) const {
  const auto at = std::lower_bound(
      labels_.begin(), labels_.end(), key,
      [](const LabelText& label, std::string_view k) { return label.key.view() < k; });
  return at != labels_.end() && at->key.view() == key ? &at->value : nullptr;
}

Text LabelSet::find(std::string_view key) const {
  const Text* found = peek(key);
  return found != nullptr ? *found : Text();
}

bool same_labels(const LabelSetRef& a, const LabelSetRef& b) {
  if (a == b) return true;
  if (!a || !b) return (a ? a : b)->all().empty();
  return *a == *b;
}

Text label(const LabelSetRef& labels, std::string_view key) {
  return labels ? labels->find(key) : Text();
}

}  // namespace proxima::kube
