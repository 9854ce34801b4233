// SPDX-License-Identifier: Apache-2.0
#include "kube/list_pages.h"

#include <simdjson.h>

namespace proxima::kube {
namespace {

Error not_a_list() { return {ErrorCode::Retry, "the answer is not a list"}; }

}  // namespace

Result<std::string> continue_token(std::string_view list) {
  simdjson::dom::parser parser;
  simdjson::dom::object top;
  simdjson::dom::array items;
  if (parser.parse(list.data(), list.size()).get(top) != simdjson::SUCCESS) return not_a_list();
  const simdjson::dom::element nothing;
  // A list of nothing may say null.
  simdjson::dom::element found = nothing;
  if (top["items"].get(found) != simdjson::SUCCESS) return not_a_list();
  if (!found.is_null() && found.get(items) != simdjson::SUCCESS) return not_a_list();
  std::string_view token;
  if (top["metadata"]["continue"].get(token) != simdjson::SUCCESS) return std::string();
  return std::string(token);
}

ApiRequest ListPages::request() const {
  ApiRequest request;
  request.path = resource_path(resource_, ns_);
  if (in_pages_) request.query.push_back({"limit", std::to_string(kItemsAPage)});
  if (!continue_.empty()) request.query.push_back({"continue", continue_});
  return request;
}

Result<std::optional<std::string>> ListPages::next(const net::Cancellation& cancellation) {
  if (at_end_) return std::optional<std::string>();
  const std::string context = "list " + std::string(resource_.plural);
  PROXIMA_TRY(ApiResponse response, api_.send(request(), cancellation), context);
  if (response.status == 410 && !continue_.empty()) {
    continue_.clear();
    in_pages_ = false;
    return next(cancellation);
  }
  if (!response.ok()) return to_error(failure_of(response)).in(context);
  PROXIMA_TRY(continue_, continue_token(response.body), context);
  at_end_ = continue_.empty();
  return std::optional(std::move(response.body));
}

}  // namespace proxima::kube
