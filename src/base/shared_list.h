// SPDX-License-Identifier: Apache-2.0
// A list that nobody changes any more. Copies share it: who has the same list a thousand times has
// it once. Comparing copies of one list costs nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "base/ref.h"

namespace proxima {

template <class T>
class SharedList {
 public:
  SharedList() = default;
  SharedList(std::vector<T> values) {  // NOLINT: implicit, as a list of what it is
    if (!values.empty()) values_ = Ref<const Values>(new Values(std::move(values)));
  }

  const T* begin() const { return values_ ? values_->list.data() : nullptr; }
  const T* end() const { return begin() + size(); }
  std::size_t size() const { return values_ ? values_->list.size() : 0; }
  bool empty() const { return size() == 0; }
  const T& front() const { return *begin(); }
  bool shares_with(const SharedList& other) const { return values_ == other.values_; }

  friend bool operator==(const SharedList& a, const SharedList& b) {
    return a.shares_with(b) || std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  struct Values : RefCounted {
    explicit Values(std::vector<T> values) : list(std::move(values)) {}
    std::vector<T> list;
  };
  Ref<const Values> values_;  // null: empty
};

}  // namespace proxima
