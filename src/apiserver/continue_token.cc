// SPDX-License-Identifier: Apache-2.0
#include "apiserver/continue_token.h"

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>

#include "apiserver/base64_url.h"
#include "apiserver/object_meta.h"
#include "apiserver/rules/json_syntax.h"

namespace proxima::apiserver {
namespace json = boost::json;
namespace {

constexpr std::string_view kVersion = "meta.k8s.io/v1";

StatusError refusal(std::string_view why) {
  return bad_request("invalid continue token: continue key is not valid" + std::string(why));
}

}  // namespace

std::string ContinueToken::encode() const {
  // Upstream's shape, with the key in it ending in a null character: from just after it.
  const std::string start = after.ns.empty() ? after.name : after.ns + "/" + after.name;
  json::object token = {{"v", json::string_view(kVersion.data(), kVersion.size())},
                        {"rv", revision},
                        {"start", start + '\0'}};
  if (remaining >= 0) token["left"] = remaining;
  return base64_url_encode(json::serialize(token));
}

Outcome<ContinueToken> ContinueToken::decode(std::string_view text) {
  const auto bytes = base64_url_decode(text);
  if (!bytes) return refusal(": illegal base64 data");
  json::error_code error;
  const json::value value = json::parse(*bytes, error);
  if (error) return refusal(": " + rules::json_syntax_message(*bytes));
  if (!value.is_object()) return refusal(": it holds no JSON object");
  const json::object& token = value.get_object();
  if (text_field(token, "v") != kVersion)
    return refusal(": server does not recognize this encoded version " +
                   std::string(text_field(token, "v")));
  ContinueToken out;
  out.revision = integer_field(token, "rv").value_or(0);
  if (out.revision == 0 || out.revision < -1)
    return refusal(": incorrect encoded start resourceVersion (version meta.k8s.io/v1)");
  std::string_view start = text_field(token, "start");
  if (start.empty()) return refusal(": encoded start key empty (version meta.k8s.io/v1)");
  if (start.back() == '\0') start.remove_suffix(1);
  const std::size_t slash = start.find('/');
  if (slash != std::string_view::npos) out.after.ns = start.substr(0, slash);
  out.after.name = slash == std::string_view::npos ? start : start.substr(slash + 1);
  out.remaining = integer_field(token, "left").value_or(-1);
  return out;
}

}  // namespace proxima::apiserver
