// SPDX-License-Identifier: Apache-2.0
// One page of a list, read as it comes: items are handed out one by one, and no more is held than
// the item that is not complete yet.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "kube/stream_text.h"

namespace proxima::kube {

struct ListMeta {
  std::string resource_version;
  std::string continue_token;  // empty: this was the last page
};

class ListPageReader {
 public:
  // An item's text, padded as the JSON parser wants it and valid during the call. Its brackets
  // match; that it is good JSON is not said.
  using OnItem = std::function<void(std::string_view item)>;

  explicit ListPageReader(std::size_t max_item_bytes) : max_item_bytes_(max_item_bytes) {}

  // An error (Retry): this is not a list. Nothing more may be fed then.
  Status feed(std::string_view piece, const OnItem& on_item);
  // At the end of the body. An error (Retry): it was cut off.
  Result<ListMeta> finish(const OnItem& on_item);

 private:
  enum class At { Start, Member, AfterMember, Item, AfterItem, End };
  enum class Step { On, NeedMore, Broken };

  Status scan(const OnItem& on_item);
  Step step(const OnItem& on_item);
  Step member();
  Step member_value(std::string_view key, std::size_t value);
  Step item(const OnItem& on_item);
  Step separator(char close, At next, At closed);

  std::size_t max_item_bytes_;
  StreamText text_;
  std::size_t failed_size_ = 0;  // a look at so many bytes found no end
  At at_ = At::Start;
  bool has_items_ = false;
  std::string metadata_;
};

}  // namespace proxima::kube
