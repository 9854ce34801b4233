// SPDX-License-Identifier: Apache-2.0
#include "reports/report_address.h"

#include <boost/json.hpp>

#include "kube/json_member.h"

namespace proxima::reports {
namespace {

namespace json = boost::json;

constexpr const char* kUrlKey = "url";
constexpr const char* kCaKey = "ca.crt";

json::object data_of(const ReportAddress& address) {
  return {{kUrlKey, address.url}, {kCaKey, address.ca_pem}};
}

Error config_map_problem(const kube::ObjectRef& ref, const std::string& problem) {
  return {ErrorCode::InvalidInput, "ConfigMap " + ref.ns + "/" + ref.name + ": " + problem};
}

Result<ReportAddress> parse_address(const kube::ObjectRef& ref, std::string_view object) {
  json::error_code error;
  const json::value document = json::parse(object, error);
  const json::value* data =
      !error && document.is_object() ? document.get_object().if_contains("data") : nullptr;
  if (data == nullptr || !data->is_object()) return config_map_problem(ref, "data is missing");
  ReportAddress address{kube::text_member(data->get_object(), kUrlKey),
                        kube::text_member(data->get_object(), kCaKey)};
  // Without TLS, anybody could answer, and would get the token of the proxy.
  if (!address.url.starts_with("https://"))
    return config_map_problem(ref, "data.url does not start with https://");
  if (address.ca_pem.empty()) return config_map_problem(ref, "data[\"ca.crt\"] is empty");
  return address;
}

}  // namespace

Result<kube::ObjectRef> report_config_map(std::string_view key) {
  const auto slash = key.find('/');
  if (slash == std::string_view::npos || slash == 0 || slash + 1 == key.size() ||
      key.find('/', slash + 1) != std::string_view::npos)
    return Error{ErrorCode::InvalidInput, "\"" + std::string(key) + "\" is not NAMESPACE/NAME"};
  return kube::ObjectRef{kube::kConfigMaps, std::string(key.substr(0, slash)),
                         std::string(key.substr(slash + 1))};
}

Result<ReportAddress> fetch_report_address(kube::ObjectClient& client, const kube::ObjectRef& ref,
                                           const net::Cancellation& cancellation) {
  const auto object = client.get(ref, cancellation);
  if (!object) return kube::to_error(object.error());
  return parse_address(ref, *object);
}

Status publish_report_address(kube::ObjectClient& client, const kube::ObjectRef& ref,
                              const ReportAddress& address, const net::Cancellation& cancellation) {
  const auto present = fetch_report_address(client, ref, cancellation);
  if (present && *present == address) return Unit{};
  const auto patched =
      client.patch(ref, kube::PatchKind::Merge,
                   json::serialize(json::object{{"data", data_of(address)}}), cancellation);
  if (patched) return Unit{};
  if (!kube::is_not_found(patched.error())) return kube::to_error(patched.error());
  const auto created =
      client.create(ref,
                    json::serialize(json::object{
                        {"apiVersion", "v1"},
                        {"kind", "ConfigMap"},
                        {"metadata", json::object{{"name", ref.name}, {"namespace", ref.ns}}},
                        {"data", data_of(address)}}),
                    cancellation);
  if (created) return Unit{};
  return kube::to_error(created.error());
}

}  // namespace proxima::reports
