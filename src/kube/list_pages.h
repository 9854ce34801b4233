// SPDX-License-Identifier: Apache-2.0
// A list read once, page by page, as text: for whoever wants to look at a cluster and not to follow
// it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "kube/api.h"

namespace proxima::kube {

class ListPages {
 public:
  static constexpr std::size_t kItemsAPage = 500;

  // Everything of `resource` in `ns`, or in all namespaces when that is empty. The API must outlive
  // it.
  ListPages(KubeApi& api, const Resource& resource, std::string ns = {})
      : api_(api), resource_(resource), ns_(std::move(ns)) {}

  // The JSON of the next page; nullopt after the last. When the server forgets where the pages had
  // come to, the list begins again, whole this time: what was read before is read twice.
  Result<std::optional<std::string>> next(const net::Cancellation& cancellation);

 private:
  ApiRequest request() const;

  KubeApi& api_;
  Resource resource_;
  std::string ns_;
  std::string continue_;
  bool in_pages_ = true;
  bool at_end_ = false;
};

// The token for the next page in a list's metadata; empty on the last one. An error: the text is no
// list.
Result<std::string> continue_token(std::string_view list);

}  // namespace proxima::kube
