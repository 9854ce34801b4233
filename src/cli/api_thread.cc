// SPDX-License-Identifier: Apache-2.0
#include "cli/api_thread.h"

#include <charconv>

namespace proxima::cli {

ApiThread::ApiThread(std::unique_ptr<apiserver::Server> server)
    : server_(std::move(server)), thread_([this] { server_->run(); }) {}

ApiThread::~ApiThread() {
  server_->stop();
  thread_.join();
}

std::uint16_t ApiThread::port() const {
  const std::string text = url();
  std::uint16_t port = 0;
  const std::size_t colon = text.rfind(':');
  std::from_chars(text.data() + colon + 1, text.data() + text.size(), port);
  return port;
}

Result<std::unique_ptr<ApiThread>> ApiThread::start(apiserver::ServerOptions options,
                                                    const Clock& clock) {
  auto server = apiserver::Server::create(std::move(options), clock);
  if (!server) return std::move(server).error();
  return std::unique_ptr<ApiThread>(new ApiThread(std::move(*server)));
}

}  // namespace proxima::cli
