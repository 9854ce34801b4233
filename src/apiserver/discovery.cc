// SPDX-License-Identifier: Apache-2.0
#include "apiserver/discovery.h"

#include <boost/json/serialize.hpp>
#include <functional>
#include <map>

#include "apiserver/accept_header.h"
#include "apiserver/api_operations.h"
#include "apiserver/content_hash.h"
#include "apiserver/discovery_document.h"
#include "apiserver/openapi_v2.h"
#include "apiserver/openapi_v3.h"
#include "apiserver/status_error.h"

namespace proxima::apiserver {
namespace {

using net::HttpRequest;
using net::HttpResponse;

constexpr std::string_view kJson = "application/json";

// A document that never changes while the server runs.
struct Page {
  std::string path;  // where clients find it for ever, hash included; empty: nowhere
  std::string content_type = std::string(kJson);
  std::string body;
  std::string etag;
};

Page json_page(const boost::json::object& document) {
  Page page;
  page.body = boost::json::serialize(document);
  page.etag = "\"" + content_hash(page.body) + "\"";
  return page;
}

Page aggregated_page(AggregatedPart part, const std::string& version) {
  Page page = json_page(group_discovery_list(part, version));
  page.content_type += ";g=apidiscovery.k8s.io;v=" + version + ";as=APIGroupDiscoveryList";
  return page;
}

constexpr std::string_view kOpenApiV2Protobuf =
    "application/com.github.proto-openapi.spec.v2.v1.0+protobuf";
// What clients ask for. It is no media type by the rules, so that no answer may bear it.
constexpr std::string_view kOpenApiV2ProtobufAsked =
    "application/com.github.proto-openapi.spec.v2@v1.0+protobuf";

using Pages = std::map<std::string, Page, std::less<>>;

// Documents of version 3, and the list of them: kubectl keeps each under its hash.
void add_openapi_v3(Pages& pages) {
  std::vector<std::string_view> groups = served_groups();
  groups.insert(groups.begin(), "");
  boost::json::object paths;
  for (const std::string_view group : groups) {
    const std::string path = group_path(group);
    Page page = json_page(openapi_v3(group));
    const std::string hash = page.etag.substr(1, page.etag.size() - 2);
    page.path = std::string("/openapi/v3").append(path).append("?hash=").append(hash);
    paths[path.substr(1)] = boost::json::object{{"serverRelativeURL", page.path}};
    pages["/openapi/v3" + path] = std::move(page);
  }
  pages["/openapi/v3"] = json_page({{"paths", std::move(paths)}});
}

void add_openapi_v2(Pages& pages) {
  const boost::json::object document = openapi_v2();
  pages["/openapi/v2"] = json_page(document);
  Page& protobuf = pages["/openapi/v2 protobuf"];
  protobuf.body = openapi_v2_protobuf(document);
  protobuf.etag = "\"" + content_hash(protobuf.body) + "\"";
  protobuf.content_type = kOpenApiV2Protobuf;
}

// By path; where there are several forms, the others by path and form: "/api v2".
const Pages& pages() {
  static const Pages all = [] {
    Pages made;
    for (const char* version : {"v2", "v2beta1"}) {
      made["/api " + std::string(version)] = aggregated_page(AggregatedPart::Core, version);
      made["/apis " + std::string(version)] = aggregated_page(AggregatedPart::Groups, version);
    }
    made["/apis"] = json_page(api_group_list());
    made["/api/v1"] = json_page(api_resource_list(""));
    made["/version"] = json_page(server_version());
    for (const std::string_view group : served_groups()) {
      const std::string path = "/apis/" + std::string(group);
      made[path] = json_page(api_group(group));
      made[path + "/v1"] = json_page(api_resource_list(group));
    }
    add_openapi_v3(made);
    add_openapi_v2(made);
    return made;
  }();
  return all;
}

std::string_view path_of(const HttpRequest& request) {
  const std::string_view target = request.target;
  const std::string_view path = target.substr(0, target.find('?'));
  return path.size() > 1 && path.ends_with('/') ? path.substr(0, path.size() - 1) : path;
}

HttpResponse refused(int code, std::string_view reason, std::string_view message) {
  StatusError error;
  error.code = code;
  error.reason = reason;
  error.message = message;
  HttpResponse response;
  response.status = code;
  response.headers.add("Content-Type", std::string(kJson));
  response.body = boost::json::serialize(to_json(error));
  return response;
}

bool has_etag(const HttpRequest& request, std::string_view etag) {
  const auto known = request.headers.find("If-None-Match");
  return known && !etag.empty() && known->find(etag) != std::string_view::npos;
}

// The hash that a request names; empty: none.
std::string hash_asked_for(const HttpRequest& request) {
  const std::size_t mark = request.target.find('?');
  if (mark == std::string::npos) return {};
  const auto query = net::parse_query(std::string_view(request.target).substr(mark + 1));
  if (!query) return {};
  for (const net::QueryParameter& parameter : *query)
    if (parameter.name == "hash") return parameter.value;
  return {};
}

HttpResponse answer(const HttpRequest& request, const Page& page) {
  const std::string hash = page.path.empty() ? std::string() : hash_asked_for(request);
  HttpResponse response;
  if (!hash.empty() && !page.path.ends_with("=" + hash)) {
    response.status = 301;  // the document has changed since the client read the list
    response.headers.add("Location", page.path);
    return response;
  }
  response.status = has_etag(request, page.etag) ? 304 : 200;
  response.headers.add("Cache-Control",
                       hash.empty() ? "no-cache, private" : "public, immutable, max-age=31536000");
  response.headers.add("Vary", "Accept");
  if (!page.etag.empty()) response.headers.add("ETag", page.etag);
  if (response.status == 304) return response;
  response.headers.add("Content-Type", page.content_type);
  response.body = page.body;
  return response;
}

bool asks_for_aggregation(const MediaRange& range) {
  const std::string_view version = range.parameter("v");
  return range.type == kJson && range.parameter("as") == "APIGroupDiscoveryList" &&
         range.parameter("g") == "apidiscovery.k8s.io" && (version == "v2" || version == "v2beta1");
}

// The form that the client likes best of those we have: the name of a page of pages(), "" for the
// old form. nullopt: none will do.
std::optional<std::string> form_of(const HttpRequest& request, std::string_view path) {
  const bool aggregates = path == "/api" || path == "/apis";
  for (const MediaRange& range : parse_accept(request.headers.find("Accept").value_or(""))) {
    if (aggregates && asks_for_aggregation(range))
      return std::string(path) + " " + std::string(range.parameter("v"));
    if (path == "/openapi/v2" &&
        (range.type == kOpenApiV2Protobuf || range.type == kOpenApiV2ProtobufAsked))
      return std::string("/openapi/v2 protobuf");
    if (range.parameter("as").empty() && range.covers(kJson)) return std::string();
  }
  return std::nullopt;
}

}  // namespace

std::optional<HttpResponse> answer_discovery(const HttpRequest& request,
                                             std::string_view server_address) {
  const std::string_view path = path_of(request);
  if (path != "/api" && !pages().contains(path)) return std::nullopt;
  if (request.method != "GET")
    return refused(405, "MethodNotAllowed",
                   "the server does not allow this method on the requested resource");
  const auto form = form_of(request, path);
  if (!form)
    return refused(406, "NotAcceptable",
                   "only the following media types are accepted: application/json");
  if (!form->empty()) return answer(request, pages().find(*form)->second);
  // The one document that depends on how the server was reached.
  if (path == "/api") return answer(request, json_page(api_versions(server_address)));
  return answer(request, pages().find(path)->second);
}

void prepare_discovery() { static_cast<void>(pages()); }

}  // namespace proxima::apiserver
