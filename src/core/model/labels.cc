// SPDX-License-Identifier: Apache-2.0
#include "core/model/labels.h"

#include <algorithm>

namespace proxima::model {

NameId label_value(Labels labels, NameId key) {
  auto found =
      std::lower_bound(labels.begin(), labels.end(), key,
                       [](const Label& label, NameId wanted) { return label.key < wanted; });
  return found != labels.end() && found->key == key ? found->value : NameId();
}

}  // namespace proxima::model
