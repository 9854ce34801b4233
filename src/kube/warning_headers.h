// SPDX-License-Identifier: Apache-2.0
// What an API server warns of, in `Warning` headers: 299 - "text".
#pragma once

#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "net/http_message.h"

namespace proxima::kube {

// The texts of all warnings with code 299 in one header; broken ones are left out.
std::vector<std::string> parse_warning_header(std::string_view value);

// Hands on every warning once. Safe for concurrent use; `show` runs in the thread that got it.
class WarningFilter {
 public:
  using Show = std::function<void(std::string_view text)>;
  explicit WarningFilter(Show show) : show_(std::move(show)) {}

  void take(const net::HttpHeaders& headers);

 private:
  bool is_new(const std::string& text);

  Show show_;
  std::mutex mutex_;
  std::set<std::string, std::less<>> seen_;
};

}  // namespace proxima::kube
