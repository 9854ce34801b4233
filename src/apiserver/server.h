// SPDX-License-Identifier: Apache-2.0
// The embedded API server, put together: a store, the handlers, and a TLS server on one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "apiserver/server_options.h"
#include "base/clock.h"
#include "base/result.h"

namespace proxima::apiserver {

// Of the store in a data directory.
std::string database_path(const std::string& data_directory);

class Server {
 public:
  // Listens and has written its kubeconfigs, but answers nothing before run(). An error says what
  // stands in the way: a directory that another server uses, a file from the future, a taken port.
  static Result<std::unique_ptr<Server>> create(ServerOptions options, const Clock& clock);
  virtual ~Server() = default;

  virtual std::string url() const = 0;  // "https://127.0.0.1:6443"
  virtual const std::string& kubeconfig() const = 0;
  // Until stop(). What was acknowledged is durable when it returns.
  virtual void run() = 0;
  virtual void stop() = 0;  // from any thread
};

}  // namespace proxima::apiserver
