// SPDX-License-Identifier: Apache-2.0
#include "cli/scope_flags.h"

#include "cli/value_rows.h"
#include "core/model/selector.h"

namespace proxima::cli {
namespace {

Result<std::string> parse_namespace(const std::string& text) {
  if (!text.empty()) return text;
  return Error{ErrorCode::InvalidInput, "a namespace has a name"};
}

}  // namespace

FlagRows scope_flags(ScopeOptions& options) {
  const std::string group = "Which services";
  return {
      value_row("-n,--namespace", "NAME", group, options.ns, parse_namespace,
                "Only this namespace; all of them when not given"),
      switch_row("-A,--all-namespaces", group, options.all_namespaces,
                 "All namespaces, whatever --namespace says"),
      checked_row("-l,--selector", "SELECTOR", group, options.selector, model::Selector::parse,
                  "Only services whose labels match, for example app=cart,tier!=test"),
  };
}

}  // namespace proxima::cli
