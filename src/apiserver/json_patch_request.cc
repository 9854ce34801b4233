// SPDX-License-Identifier: Apache-2.0
// A JSON patch as a request brings it: what upstream's server says of one that is none, and of one
// that does not apply.
#include <boost/json/serialize.hpp>
#include <optional>

#include "apiserver/go_type_names.h"
#include "apiserver/json_patch.h"
#include "apiserver/patch.h"

namespace proxima::apiserver {
namespace {

using boost::json::value;

constexpr std::size_t kMaxOperations = 10'000;

std::optional<std::string> operation_fault(const value& operation) {
  if (operation.is_null()) return std::nullopt;
  const boost::json::object* members = operation.if_object();
  if (members == nullptr)
    return go_cannot_unmarshal(operation, "value of type handlers.jsonPatchOp");
  for (const auto& [name, member] : *members) {
    if (name != "op" && name != "path" && name != "from") continue;
    if (!member.is_string() && !member.is_null())
      return go_cannot_unmarshal(
          member, "struct field jsonPatchOp." + std::string(name) + " of type string");
  }
  return std::nullopt;
}

std::optional<std::string> patch_fault(const value& patch) {
  const boost::json::array* operations = patch.if_array();
  if (operations == nullptr)
    return go_cannot_unmarshal(patch, "value of type []handlers.jsonPatchOp");
  for (const value& operation : *operations)
    if (auto fault = operation_fault(operation)) return fault;
  return std::nullopt;
}

StatusError too_many(std::size_t operations) {
  return request_too_large("The allowed maximum operations in a JSON patch is " +
                           std::to_string(kMaxOperations) + ", got " + std::to_string(operations));
}

// Upstream keeps the reason to itself.
StatusError does_not_apply() {
  StatusError error;
  error.code = 422;
  error.reason = "Invalid";
  error.message = "the server rejected our request due to an error in our request";
  return error;
}

}  // namespace

Outcome<boost::json::object> apply_json_patch(const boost::json::object& object,
                                              const value& patch) {
  if (patch.is_null()) return object;
  if (auto fault = patch_fault(patch)) return bad_request("error decoding patch: " + *fault);
  const boost::json::array& operations = patch.get_array();
  if (operations.size() > kMaxOperations) return too_many(operations.size());
  auto patched = patch_document(object, operations);
  if (!patched && patched.error().code == ErrorCode::Unsupported)
    return request_too_large(patched.error().message);
  if (!patched) return does_not_apply();
  if (!patched->is_object())
    return refused_patch_result(
        boost::json::serialize(*patched),
        "couldn't get version/kind; json parse error: " +
            go_cannot_unmarshal(*patched,
                                "value of type struct { APIVersion string "
                                "\"json:\\\"apiVersion,omitempty\\\"\"; Kind string "
                                "\"json:\\\"kind,omitempty\\\"\" }"));
  return std::move(patched->get_object());
}

std::vector<std::string> json_patch_findings(const value& patch) {
  std::vector<std::string> findings;
  const boost::json::array* operations = patch.if_array();
  if (operations == nullptr) return findings;
  for (std::size_t i = 0; i < operations->size(); ++i) {
    const boost::json::object* members = (*operations)[i].if_object();
    if (members == nullptr) continue;
    for (const auto& member : *members) {
      const std::string_view name = member.key();
      if (name == "op" || name == "path" || name == "from" || name == "value") continue;
      findings.push_back("json patch unknown field \"[" + std::to_string(i) + "]." +
                         std::string(name) + "\"");
    }
  }
  return findings;
}

}  // namespace proxima::apiserver
