// SPDX-License-Identifier: Apache-2.0
// Which Pods a Service selects. Looking at every Pod for every Service would take minutes in a
// large cluster, so Pods are listed by the labels that some Service asks for.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "core/model/snapshot.h"

namespace proxima::model {

class PodSelection {
 public:
  // Borrows `snapshot`, whose services and pods are in place.
  explicit PodSelection(const Snapshot& snapshot);

  // Pods of the Service's namespace that carry every label of its selector, ascending. An empty
  // selector takes all; a Service without a selector takes none.
  std::vector<PodIndex> pods_of(const Service& service) const;

 private:
  struct Term {
    NamespaceIndex ns;
    Label label;
    friend bool operator==(const Term&, const Term&) = default;
  };
  struct TermHash {
    std::size_t operator()(const Term& term) const;
  };

  bool carries_all(const Pod& pod, Labels wanted) const;
  std::vector<PodIndex> pods_in(NamespaceIndex ns) const;

  const Snapshot& snapshot_;
  std::unordered_map<Term, std::vector<PodIndex>, TermHash> by_term_;
};

}  // namespace proxima::model
