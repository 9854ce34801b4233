// SPDX-License-Identifier: Apache-2.0
// Equal texts, label sets and workloads of the records of one decoder, each held once. One thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string_view>
#include <vector>

#include "base/ref.h"
#include "base/text.h"
#include "kube/pod_record.h"
#include "kube/record.h"
#include "kube/shared_table.h"

namespace proxima::kube {

class RecordSharing {
 public:
  Text text(std::string_view text);
  // In any order; of a key that comes twice the first counts.
  LabelSetRef labels(std::vector<LabelText> labels);
  Ref<const PodWorkload> workload(PodWorkload workload);

  std::size_t texts() const { return texts_.size(); }

 private:
  struct TextHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
    std::size_t operator()(const Text& text) const { return (*this)(text.view()); }
  };
  struct TextEqual {
    using is_transparent = void;
    bool operator()(const Text& a, std::string_view b) const { return a.view() == b; }
    bool operator()(std::string_view a, const Text& b) const { return a == b.view(); }
    bool operator()(const Text& a, const Text& b) const { return a.view() == b.view(); }
  };
  // All texts in a shared value are shared themselves, so their addresses stand for them.
  struct ValueHash {
    using is_transparent = void;
    std::size_t operator()(const LabelSet& labels) const;
    std::size_t operator()(const PodWorkload& workload) const;
    template <class T>
    std::size_t operator()(const Ref<T>& value) const {
      return (*this)(*value);
    }
  };
  struct ValueEqual {
    using is_transparent = void;
    template <class T>
    bool operator()(const Ref<const T>& a, const T& b) const {
      return *a == b;
    }
    template <class T>
    bool operator()(const T& a, const Ref<const T>& b) const {
      return a == *b;
    }
    template <class T>
    bool operator()(const Ref<T>& a, const Ref<T>& b) const {
      return *a == *b;
    }
  };

  SharedTable<Text, TextHash, TextEqual> texts_;
  SharedTable<LabelSetRef, ValueHash, ValueEqual> labels_;
  SharedTable<Ref<const PodWorkload>, ValueHash, ValueEqual> workloads_;
};

}  // namespace proxima::kube
