// SPDX-License-Identifier: Apache-2.0
// The front of the API server: who asks, for what, and who answers.
#pragma once

#include <string>

#include "apiserver/api_request.h"
#include "apiserver/authentication.h"
#include "apiserver/object_registry.h"
#include "apiserver/store.h"
#include "base/clock.h"
#include "net/http_server.h"

namespace proxima::apiserver {

struct ApiHandlerOptions {
  Tokens tokens;
  std::string server_address;  // "host:port", as clients reach it
};

class ApiHandler final : public net::HttpHandler {
 public:
  // Everything borrowed must outlive it.
  ApiHandler(Store& store, ObjectRegistry& registry, const Clock& clock, ApiHandlerOptions options);

  // Whose token is not known gets no further than the header.
  net::Admission admit(const net::HttpRequest& head) override;
  net::Reply handle(const net::HttpRequest& request) override;

 private:
  net::Reply handle_resource(const ApiRequest& request, User user);
  net::Reply read(const ApiRequest& request);
  net::Reply write(const ApiRequest& request);

  Store& store_;
  ObjectRegistry& registry_;
  const Clock& clock_;
  ApiHandlerOptions options_;
};

}  // namespace proxima::apiserver
