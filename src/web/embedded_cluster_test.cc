// SPDX-License-Identifier: Apache-2.0
// The page over a controller over the embedded API server, all in this process: what kubectl would
// write shows on the page, and what the page writes is a plain annotation.
#include <gtest/gtest.h>

#include <boost/json.hpp>

#include "apiserver/server.h"
#include "controller/controller.h"
#include "kube/connect.h"
#include "net/http_client.h"
#include "support/temp_folder.h"
#include "web/access_token.h"
#include "web/web_server.h"

namespace proxima::web {
namespace {

using boost::json::value;

class EmbeddedCluster : public ::testing::Test {
 protected:
  void SetUp() override {
    apiserver::ServerOptions options;
    options.data_directory = folder_.path();
    options.port = 0;
    auto server = apiserver::Server::create(std::move(options), clock_);
    ASSERT_TRUE(server) << server.error().message;
    api_server_ = std::move(*server);
    serving_ = std::thread([this] { api_server_->run(); });
    auto connection = kube::find_connection({.kubeconfig = api_server_->kubeconfig()});
    ASSERT_TRUE(connection) << connection.error().message;
    auto api = kube::connect(*connection, {}, {}, clock_);
    ASSERT_TRUE(api) << api.error().message;
    api_ = std::move(*api);
    auto controller = controller::Controller::create({}, {*api_, clock_, metrics_, log_});
    ASSERT_TRUE(controller) << controller.error().message;
    controller_ = std::move(*controller);
    controller_->start();
    controller_->lead(std::nullopt);
    WebServerOptions web;
    web.token = *new_token();
    token_ = web.token;
    auto page = WebServer::start(
        std::move(web),
        {.caches = controller_->caches(), .api = *api_, .clock = clock_, .log = log_});
    ASSERT_TRUE(page) << page.error().message;
    page_ = std::move(*page);
    auto client = net::HttpClient::create({.origin = page_->url()});
    client_ = std::move(*client);
  }

  void TearDown() override {
    page_.reset();
    if (controller_) controller_->stop();
    if (api_server_) api_server_->stop();
    if (serving_.joinable()) serving_.join();
  }

  void create(const kube::Resource& kind, const std::string& ns, const std::string& object) {
    kube::ApiRequest request;
    request.method = "POST";
    request.path = kube::resource_path(kind, ns);
    request.content_type = "application/json";
    request.body = object;
    const auto answer = api_->send(request, {});
    ASSERT_TRUE(answer) << answer.error().message;
    ASSERT_EQ(answer->status, 201) << answer->body;
  }

  // A status is not written with the object.
  void set_status(const kube::Resource& kind, const std::string& ns, const std::string& name,
                  const std::string& status) {
    kube::ApiRequest request;
    request.method = "PATCH";
    request.path = kube::resource_path(kind, ns, name, "status");
    request.content_type = "application/merge-patch+json";
    request.body = "{\"status\":" + status + "}";
    const auto answer = api_->send(request, {});
    ASSERT_TRUE(answer) << answer.error().message;
    ASSERT_EQ(answer->status, 200) << answer->body;
  }

  void add_node(const std::string& name, const std::string& zone) {
    create(kube::kNodes, "",
           R"({"metadata":{"name":")" + name + R"(","labels":{"topology.kubernetes.io/zone":")" +
               zone + R"("}}})");
    set_status(kube::kNodes, "", name,
               R"({"allocatable":{"cpu":"4"},"conditions":[{"type":"Ready","status":"True"}]})");
  }

  void add_pod(const std::string& name, const std::string& node, const std::string& address) {
    create(kube::kPods, "shop",
           R"({"metadata":{"name":")" + name + R"(","labels":{"app":"web"}},"spec":{"nodeName":")" +
               node + R"(","containers":[{"name":"c","image":"i"}]}})");
    set_status(kube::kPods, "shop", name,
               R"({"phase":"Running","podIP":")" + address + R"(","podIPs":[{"ip":")" + address +
                   R"("}],"conditions":[{"type":"Ready","status":"True"}]})");
  }

  void add_shop() {
    create(kube::kNamespaces, "", R"({"metadata":{"name":"shop"}})");
    add_node("node-1", "zone-a");
    add_node("node-2", "zone-b");
    create(kube::kServices, "shop",
           R"({"metadata":{"name":"web","annotations":{"proxima.io/policy":"auto"}},)"
           R"("spec":{"selector":{"app":"web"},"ports":[{"port":80,"targetPort":8080}]}})");
    add_pod("web-1", "node-1", "10.1.1.1");
    add_pod("web-2", "node-1", "10.1.1.2");
    add_pod("web-3", "node-2", "10.1.2.1");
  }

  net::HttpResponse ask(const std::string& method, const std::string& target,
                        const std::string& body = "") {
    net::HttpRequest request{.method = method, .target = target, .headers = {}, .body = body};
    request.headers.add("Authorization", "Bearer " + token_);
    request.headers.add("X-Proxima", "1");
    auto answer = net::fetch(*client_, request, {}, {});
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? std::move(*answer) : net::HttpResponse{};
  }

  // Follows the stream of states until one is as wished, for half a minute at most.
  template <class Wish>
  value state_where(Wish is_wished) {
    net::HttpRequest request{.target = "/api/stream"};
    request.headers.add("Authorization", "Bearer " + token_);
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    auto stream = client_->open(request, {}, {});
    std::string text;
    while (stream && std::chrono::steady_clock::now() < end) {
      const auto piece = (*stream)->read();
      if (!piece || piece->empty()) break;
      text += *piece;
      const std::size_t stop = text.find("\n\n");
      if (stop == std::string::npos) continue;
      const std::size_t data = text.find("data: ");
      if (data < stop) {
        value state = boost::json::parse(text.substr(data + 6, stop - data - 6));
        if (is_wished(state)) return state;
      }
      text.erase(0, stop + 2);
    }
    ADD_FAILURE() << "the state that was wished for did not come";
    return {};
  }

  testing::TempFolder folder_;
  SystemClock clock_;
  telemetry::Log log_{{}, clock_, [](std::string_view) {}};
  telemetry::MetricsRegistry metrics_;
  std::unique_ptr<apiserver::Server> api_server_;
  std::thread serving_;
  std::unique_ptr<kube::KubeApi> api_;
  std::unique_ptr<controller::Controller> controller_;
  std::unique_ptr<WebServer> page_;
  std::unique_ptr<net::HttpClient> client_;
  std::string token_;
};

bool has_web(const value& state, std::string_view policy) {
  for (const value& service : state.at("services").as_array())
    if (service.at("service") == "shop/web" &&
        service.at("policy").as_string() == boost::json::string_view(policy) &&
        service.at("endpoints") == 3)
      return true;
  return false;
}

TEST_F(EmbeddedCluster, ShowsWhatIsWrittenAndWritesWhatIsWished) {
  add_shop();
  const value before = state_where([](const value& state) { return has_web(state, "auto"); });
  ASSERT_TRUE(before.is_object());
  EXPECT_EQ(before.at("services").as_array().size(), 1U) << "the API's own is left out";
  EXPECT_EQ(before.at("nodes").as_array().size(), 2U);
  EXPECT_EQ(before.at("pods").at(2).at("zone"), "zone-b");

  const std::string wish = R"("policy":"balanced","overload":0.5)";
  const net::HttpResponse predicted =
      ask("POST", "/api/predict", R"({"service":"shop/web",)" + wish + "}");
  ASSERT_EQ(predicted.status, 200) << predicted.body;
  ASSERT_EQ(ask("POST", "/api/services/shop/web/policy", "{" + wish + "}").status, 200);
  const value after = state_where([](const value& state) { return has_web(state, "balanced"); });
  ASSERT_TRUE(after.is_object());
  const value then = boost::json::parse(predicted.body).at("then");
  const value& plan = after.at("services").at(0).at("plan");
  for (const char* const field : {"policy", "overload", "local", "worstOverload", "flows", "why"})
    EXPECT_EQ(plan.at(field), then.at(field)) << field;
  EXPECT_EQ(ask("POST", "/api/services/shop/none/policy", R"({"policy":"auto"})").status, 404);
}

TEST_F(EmbeddedCluster, TellsTheEventsOfDecisions) {
  add_shop();
  const value state =
      state_where([](const value& one) { return !one.at("events").as_array().empty(); });
  ASSERT_TRUE(state.is_object());
  EXPECT_EQ(state.at("events").at(0).at("object"), "Service shop/web");
}

}  // namespace
}  // namespace proxima::web
