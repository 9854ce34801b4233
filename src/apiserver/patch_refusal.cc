// SPDX-License-Identifier: Apache-2.0
#include "apiserver/patch.h"
#include "base/go_quote.h"

namespace proxima::apiserver {

StatusError refused_patch_result(std::string_view shown, std::string_view complaint) {
  const std::string fault = "Invalid value: " + go_quote(shown) + ": " + std::string(complaint);
  StatusError error;
  error.code = 422;
  error.reason = "Invalid";
  // Upstream does not know name and kind at this point, and prints them empty.
  error.message = " \"\" is invalid: patch: " + fault;
  error.causes.push_back({"FieldValueInvalid", fault, "patch"});
  return error;
}

}  // namespace proxima::apiserver
