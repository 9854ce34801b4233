// SPDX-License-Identifier: Apache-2.0
#include "cli/lab_client.h"

#include <boost/json.hpp>

namespace proxima::cli {
namespace {

namespace json = boost::json;

// {"error": "sentence"}, or what the status says.
Error refusal(const net::HttpResponse& response) {
  boost::system::error_code failed;
  const json::value body = json::parse(response.body, failed);
  const auto* object = body.if_object();
  const auto* text = object != nullptr ? object->if_contains("error") : nullptr;
  if (failed.failed() || text == nullptr || !text->is_string())
    return {ErrorCode::Retry, "the lab answered " + std::to_string(response.status)};
  return {ErrorCode::InvalidInput, std::string(text->get_string())};
}

}  // namespace

Result<LabClient> LabClient::create(const RunFile& run, const net::Deadlines& deadlines) {
  net::HttpClientOptions options;
  options.origin = run.url;
  PROXIMA_TRY(auto client, net::HttpClient::create(std::move(options)), run.url);
  return LabClient(std::move(client), run.token, deadlines);
}

Result<std::string> LabClient::fetch(net::HttpRequest request) const {
  request.headers.set("Authorization", "Bearer " + token_);
  const net::Cancellation never;
  PROXIMA_TRY(auto answer, net::fetch(*client_, request, deadlines_, never), "ask the lab");
  if (answer.status != 200) return refusal(answer);
  return std::move(answer.body);
}

Result<std::string> LabClient::state() const {
  net::HttpRequest request;
  request.target = "/api/state";
  return fetch(std::move(request));
}

Status LabClient::post(const LabCall& call) const {
  net::HttpRequest request;
  request.method = "POST";
  request.target = call.path;
  request.body = call.body;
  request.headers.set("Content-Type", "application/json");
  request.headers.set("X-Proxima", "1");
  auto answer = fetch(std::move(request));
  if (!answer) return std::move(answer).error();
  return Unit{};
}

}  // namespace proxima::cli
