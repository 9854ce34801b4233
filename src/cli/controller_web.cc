// SPDX-License-Identifier: Apache-2.0
#include "cli/controller_web.h"

#include "cli/planning_options.h"
#include "cli/serving_certificate.h"
#include "cli/text_file.h"
#include "cli/version.h"
#include "web/access_token.h"

namespace proxima::cli {
namespace {

Result<std::string> token_of(const WebFlags& flags) {
  if (flags.token_file.empty()) return web::new_token();
  PROXIMA_TRY(std::string token, read_text_file(flags.token_file), "--web-token-file");
  token.erase(token.find_last_not_of(" \t\r\n") + 1);
  const Status good = web::check_token(token);
  if (!good) return Error(good.error()).in("--web-token-file " + flags.token_file);
  return token;
}

}  // namespace

Result<std::unique_ptr<web::WebServer>> serve_controller_page(const ControllerCommand& command,
                                                              const plan::PlanOptions& plan,
                                                              const web::WebPorts& ports) {
  const WebFlags& flags = command.web;
  web::WebServerOptions options;
  options.address = flags.bind.address;
  options.port = flags.bind.port;
  options.changes = flags.allow_changes ? web::Changes::Allowed : web::Changes::Refused;
  options.host_names = flags.host_names;
  options.proxy_port = flags.proxy_port;
  options.proxy_token_file = flags.proxy_token_file;
  options.version = version();
  options.plan = plan;
  auto prices = read_prices(command.prices, model::Snapshot());
  if (!prices) return std::move(prices).error();
  options.money_per_unit = prices->money_per_unit;
  auto token = token_of(flags);
  if (!token) return std::move(token).error();
  options.token = std::move(*token);
  const StatusFlags& tls = command.status;
  if (!tls.tls_cert_file.empty()) {
    auto certificate = read_serving_certificate(tls);
    if (!certificate) return std::move(certificate).error();
    options.certificate_pem = std::move(certificate->certificate_pem);
    options.key_pem = std::move(certificate->key_pem);
    options.renewal = serving_certificate_renewal(tls, ports.log);
  }
  auto server = web::WebServer::start(std::move(options), ports);
  if (!server) return std::move(server).error().in("--web");
  return server;
}

std::string controller_page_text(const WebFlags& flags, const web::WebServer& server) {
  if (flags.token_file.empty()) return "proxima controller: page at " + server.url_with_token();
  return "proxima controller: page at " + server.url() + "/?token=, and the token of " +
         flags.token_file + " behind it";
}

}  // namespace proxima::cli
