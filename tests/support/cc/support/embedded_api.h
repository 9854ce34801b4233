// SPDX-License-Identifier: Apache-2.0
// The embedded API server in this process, on a free port and in a folder of its own, and a client
// of it.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "apiserver/server.h"
#include "kube/connect.h"
#include "kube/object_client.h"
#include "support/temp_folder.h"

namespace proxima::testing {

class EmbeddedApi {
 public:
  explicit EmbeddedApi(Clock& clock, std::vector<std::string> service_cidrs = {"172.30.0.0/16"}) {
    apiserver::ServerOptions options;
    options.data_directory = folder_.file("data");
    options.port = 0;
    options.durability = apiserver::StoreOptions::Durability::Normal;
    options.ranges.service_cidrs = std::move(service_cidrs);
    auto server = apiserver::Server::create(std::move(options), clock);
    EXPECT_TRUE(server) << server.error().message;
    server_ = std::move(*server);
    loop_ = std::thread([this] { server_->run(); });
    kube::ConnectionOptions where;
    where.kubeconfig = server_->kubeconfig();
    auto connection = kube::find_connection(where);
    EXPECT_TRUE(connection) << connection.error().message;
    kube::HttpApiOptions http;
    http.limits = {.qps = 0, .burst = 0};
    auto api = kube::connect(*connection, {}, std::move(http), clock);
    EXPECT_TRUE(api) << api.error().message;
    api_ = std::move(*api);
    client_ = std::make_unique<kube::ObjectClient>(*api_, std::chrono::seconds(5));
  }
  ~EmbeddedApi() {
    server_->stop();
    loop_.join();
  }
  EmbeddedApi(const EmbeddedApi&) = delete;
  EmbeddedApi& operator=(const EmbeddedApi&) = delete;

  kube::KubeApi& api() { return *api_; }
  const std::string& kubeconfig() const { return server_->kubeconfig(); }

  // What kubectl would do; the test fails when the server refuses.
  void create(const kube::Resource& resource, const std::string& ns, std::string object) {
    const auto made = client_->create({resource, ns, ""}, std::move(object), {});
    EXPECT_TRUE(made) << made.error().message;
  }
  void merge(const kube::ObjectRef& ref, std::string patch) {
    const auto made = client_->patch(ref, kube::PatchKind::Merge, std::move(patch), {});
    EXPECT_TRUE(made) << made.error().message;
  }
  void remove(const kube::ObjectRef& ref, std::optional<int> grace = std::nullopt) {
    kube::DeleteOptions options;
    options.grace_period_seconds = grace;
    const auto gone = client_->remove(ref, options, {});
    EXPECT_TRUE(gone) << gone.error().message;
  }
  // Empty: it is not there.
  std::string get(const kube::ObjectRef& ref) {
    auto found = client_->get(ref, {});
    return found ? *found : std::string();
  }

 private:
  TempFolder folder_;
  std::unique_ptr<apiserver::Server> server_;
  std::thread loop_;
  std::unique_ptr<kube::KubeApi> api_;
  std::unique_ptr<kube::ObjectClient> client_;
};

}  // namespace proxima::testing
