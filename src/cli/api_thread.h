// SPDX-License-Identifier: Apache-2.0
// The embedded API server on a thread of this process.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "apiserver/server.h"

namespace proxima::cli {

class ApiThread {
 public:
  // It answers when this returns. The clock must outlive it.
  static Result<std::unique_ptr<ApiThread>> start(apiserver::ServerOptions options,
                                                  const Clock& clock);
  // What was acknowledged is on disk afterwards.
  ~ApiThread();
  ApiThread(const ApiThread&) = delete;
  ApiThread& operator=(const ApiThread&) = delete;

  std::string url() const { return server_->url(); }
  std::uint16_t port() const;
  const std::string& kubeconfig() const { return server_->kubeconfig(); }

 private:
  explicit ApiThread(std::unique_ptr<apiserver::Server> server);

  std::unique_ptr<apiserver::Server> server_;
  std::thread thread_;
};

}  // namespace proxima::cli
