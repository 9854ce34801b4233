// SPDX-License-Identifier: Apache-2.0
#include "slices/slice_annotation.h"

#include <algorithm>
#include <vector>

namespace proxima::slices {

using kube::LabelText;

kube::LabelSetRef with_annotation(const kube::LabelSetRef& annotations, std::string_view name,
                                  const Text& text) {
  std::vector<LabelText> all;
  if (annotations) all = annotations->all();
  std::erase_if(all, [&](const LabelText& one) { return one.key.view() == name; });
  if (text) {
    const auto after = std::find_if(all.begin(), all.end(),
                                    [&](const LabelText& one) { return one.key.view() > name; });
    all.insert(after, {Text(name), text});
  }
  return make_ref<const kube::LabelSet>(std::move(all));
}

}  // namespace proxima::slices
