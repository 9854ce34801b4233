// SPDX-License-Identifier: Apache-2.0
// The live page of `proxima controller --web`.
#pragma once

#include <memory>

#include "base/result.h"
#include "cli/options.h"
#include "core/plan/cluster_plan.h"
#include "web/web_server.h"

namespace proxima::cli {

// Serves the page of a controller. The token is that of the file, or a new one. Errors name the
// flag, and never hold the token.
Result<std::unique_ptr<web::WebServer>> serve_controller_page(const ControllerCommand& command,
                                                              const plan::PlanOptions& plan,
                                                              const web::WebPorts& ports);
// For the terminal, once: where the page is, with its token only when nobody else has it.
std::string controller_page_text(const WebFlags& flags, const web::WebServer& server);

}  // namespace proxima::cli
