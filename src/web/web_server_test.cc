// SPDX-License-Identifier: Apache-2.0
// The server over real sockets.
#include "web/web_server.h"

#include <gtest/gtest.h>

#include <boost/json.hpp>
#include <future>

#include "net/http_client.h"
#include "support/raw_socket.h"
#include "support/web_world.h"
#include "web/access_token.h"

namespace proxima::web {
namespace {

using boost::json::value;
using support::RawSocket;

constexpr const char* kToken = "0123456789abcdef0123456789abcdef";

class WebServerTest : public ::testing::Test {
 protected:
  void serve(Changes changes = Changes::Allowed, bool with_lab = true) {
    WebServerOptions options;
    options.token = kToken;
    options.changes = changes;
    options.version = "0.6.0";
    auto server = WebServer::start(std::move(options), {.caches = caches_,
                                                        .api = api_,
                                                        .clock = clock_,
                                                        .log = log_,
                                                        .live = with_lab ? &source_ : nullptr,
                                                        .traffic = with_lab ? &source_ : nullptr,
                                                        .lab = with_lab ? &lab_ : nullptr});
    ASSERT_TRUE(server) << server.error().message;
    server_ = std::move(*server);
    net::HttpClientOptions client;
    client.origin = server_->url();
    auto made = net::HttpClient::create(client);
    client_ = std::move(*made);
  }

  net::HttpResponse ask(const std::string& method, const std::string& target,
                        const std::string& body = "") {
    net::HttpRequest request{.method = method, .target = target, .headers = {}, .body = body};
    request.headers.add("Authorization", std::string("Bearer ") + kToken);
    if (method == "POST") request.headers.add("X-Proxima", "1");
    return send(request);
  }
  net::HttpResponse send(const net::HttpRequest& request) {
    auto answer = net::fetch(*client_, request, {}, {});
    EXPECT_TRUE(answer) << answer.error().message;
    return answer ? std::move(*answer) : net::HttpResponse{};
  }
  static std::string error_of(const net::HttpResponse& response) {
    return std::string(boost::json::parse(response.body).at("error").as_string());
  }
  // The header and what follows it, of a request written by hand.
  std::string cookie(const std::string& token) const {
    return "proxima_token_" + std::to_string(server_->port()) + "=" + token;
  }
  std::string raw(const std::string& request) {
    const RawSocket socket = RawSocket::connect(server_->port());
    socket.send(request);
    return socket.receive_all();
  }

  controller::ClusterCaches caches_;
  testing::LabShape shape_{caches_};
  testing::QuietApi api_;
  testing::NotingLab lab_;
  testing::PlannedSource source_{caches_};
  SystemClock clock_;
  telemetry::Log log_{{}, clock_, [](std::string_view) {}};
  std::unique_ptr<WebServer> server_;
  std::unique_ptr<net::HttpClient> client_;
};

TEST_F(WebServerTest, ShowsTheStateOfALab) {
  serve();
  const net::HttpResponse response = ask("GET", "/api/state");
  ASSERT_EQ(response.status, 200);
  const value state = boost::json::parse(response.body);
  EXPECT_EQ(state.at("mode"), "lab");
  EXPECT_EQ(state.at("version"), "0.6.0");
  EXPECT_EQ(state.at("services").as_array().size(), 3U);
  EXPECT_TRUE(state.at("zones").at(2).at("failed").as_bool());
  EXPECT_FALSE(state.at("nodes").at(4).at("power").as_bool());
  EXPECT_FALSE(state.at("services").at(0).at("measured").is_null());
  EXPECT_FALSE(state.at("waitingFor").is_string()) << response.body.substr(0, 300);
  const auto shows_service = [&](const char* name, std::chrono::milliseconds patience) {
    return server_->shows({.nodes = {}, .services = {name}, .pods = {}},
                          clock_.steady_now() + patience);
  };
  EXPECT_TRUE(shows_service("shop/even", std::chrono::milliseconds(0)));
  EXPECT_FALSE(shows_service("shop/other", std::chrono::milliseconds(50)));
}

TEST_F(WebServerTest, LetsNobodyInWithoutTheToken) {
  serve();
  const char* const paths[] = {"/", "/api/state", "/api/stream", "/api/history", "/assets/app.js"};
  for (const char* const path : paths) {
    EXPECT_EQ(send({.target = path}).status, 401) << path;
    net::HttpRequest wrong{.target = path};
    wrong.headers.add("Cookie", cookie("0123456789abcdef0123456789abcdee"));
    EXPECT_EQ(send(wrong).status, 401) << path;
  }
  EXPECT_EQ(send({.target = "/?token=0123456789abcdef"}).status, 401);
  EXPECT_EQ(error_of(send({.target = "/"})),
            "a token is needed: open the URL that was printed when the server was started");
}

TEST_F(WebServerTest, TurnsTheTokenOfTheUrlIntoACookie) {
  serve();
  EXPECT_EQ(server_->url_with_token(), server_->url() + "/?token=" + kToken);
  const net::HttpResponse redirect = send({.target = std::string("/?token=") + kToken});
  EXPECT_EQ(redirect.status, 303);
  EXPECT_EQ(redirect.headers.find("Location"), "/");
  EXPECT_EQ(redirect.headers.find("Set-Cookie"),
            cookie(kToken) + "; Path=/; HttpOnly; SameSite=Strict");
  net::HttpRequest next{.target = "/"};
  next.headers.add("Cookie", cookie(kToken));
  const net::HttpResponse page = send(next);
  EXPECT_EQ(page.status, 200);
  EXPECT_EQ(page.headers.find("Content-Type"), "text/html; charset=utf-8");
  EXPECT_NE(page.body.find("<title>Proxima"), std::string::npos);
}

TEST_F(WebServerTest, RefusesHostsThatAreNotItsOwn) {
  serve();
  const std::string good = std::string("Authorization: Bearer ") + kToken + "\r\n\r\n";
  EXPECT_NE(raw("GET /api/history HTTP/1.1\r\nConnection: close\r\nHost: evil.example\r\n" + good)
                .find("HTTP/1.1 403"),
            std::string::npos);
  EXPECT_NE(raw("GET /api/history HTTP/1.1\r\nConnection: close\r\nHost: localhost:1\r\n" + good)
                .find("HTTP/1.1 200"),
            std::string::npos);
}

TEST_F(WebServerTest, SendsTheHeadersThatKeepOthersOut) {
  serve();
  for (const char* const path : {"/", "/api/state", "/nothing"}) {
    const net::HttpResponse response = ask("GET", path);
    const auto policy = response.headers.find("Content-Security-Policy");
    ASSERT_TRUE(policy) << path;
    EXPECT_TRUE(policy->starts_with("default-src 'self';")) << path;
    EXPECT_EQ(response.headers.find("X-Content-Type-Options"), "nosniff") << path;
    EXPECT_EQ(response.headers.find("X-Frame-Options"), "DENY") << path;
    EXPECT_EQ(response.headers.find("Referrer-Policy"), "no-referrer") << path;
  }
}

TEST_F(WebServerTest, AnswersWhatIsWrongWithARequest) {
  serve();
  struct Row {
    const char* method;
    const char* target;
    const char* body;
    int status;
    const char* error;
  };
  const Row rows[] = {
      {"GET", "/nothing", "", 404, "there is nothing here"},
      {"GET", "/api/nothing", "", 404, "there is nothing here"},
      {"GET", "/api/lab/dance", "", 404, "there is nothing here"},
      {"POST", "/api/lab/dance", "{}", 404, "there is nothing here"},
      {"POST", "/api/state", "{}", 405, "this is answered to GET only"},
      {"POST", "/", "{}", 405, "this is answered to GET only"},
      {"GET", "/api/predict", "", 405, "this is answered to POST only"},
      {"GET", "/api/lab/heal", "", 405, "this is answered to POST only"},
      {"DELETE", "/api/state", "", 405, "only GET and POST are answered"},
      {"GET", "/api/services/shop/none/explain", "", 404, "there is no service \"shop/none\""},
      {"GET", "/api/services/shop/even/explain?from=nowhere", "", 404,
       "there is neither a node nor a zone \"nowhere\""},
      {"GET", "/api/services/shop/%zz/explain", "", 400,
       "the target of the request cannot be read"},
      {"POST", "/api/predict", "{\"service\":\"shop/none\",\"policy\":\"auto\"}", 404,
       "there is no service \"shop/none\""},
      {"POST", "/api/predict", "{\"service\"", 400, "the body is no JSON: incomplete JSON"},
      {"POST", "/api/lab/fail-zone", "{}", 400, "\"zone\" is missing"},
      {"POST", "/api/lab/kill-node", "{\"node\":\"node-9\"}", 404, "there is no node \"node-9\""},
      {"GET", "/api/nodes/node-9/routes", "", 404, "no proxy of a node \"node-9\" is known"},
  };
  for (const Row& row : rows) {
    const net::HttpResponse response = ask(row.method, row.target, row.body);
    EXPECT_EQ(response.status, row.status) << row.method << " " << row.target;
    EXPECT_EQ(error_of(response), row.error) << row.method << " " << row.target;
  }
  EXPECT_EQ(ask("POST", "/api/predict", std::string(100'000, 'x')).status, 413);
}

TEST_F(WebServerTest, ChangesNeedAHeaderThatNoFormCanSend) {
  serve();
  net::HttpRequest request{
      .method = "POST", .target = "/api/lab/heal", .headers = {}, .body = "{}"};
  request.headers.add("Cookie", cookie(kToken));
  EXPECT_EQ(send(request).status, 403);
  EXPECT_EQ(lab_.last(), "");
  request.headers.add("X-Proxima", "1");
  EXPECT_EQ(send(request).status, 200);
  EXPECT_EQ(lab_.last(), "heal ");
}

TEST_F(WebServerTest, DoesWhatALabCanDo) {
  serve();
  struct Row {
    const char* action;
    const char* body;
    const char* done;
    const char* answer;
  };
  const Row rows[] = {
      {"fail-zone", R"({"zone":"zone-b"})", "fail-zone zone-b", "{}"},
      {"heal", R"({"zone":"zone-b"})", "heal zone-b", "{}"},
      {"heal", R"({"node":"node-1"})", "heal node-1", "{}"},
      {"kill-node", R"({"node":"node-2"})", "kill-node node-2", "{}"},
      {"add-node", R"({"zone":"zone-a"})", "add-node zone-a", R"({"node":"node-7"})"},
      {"scale", R"({"service":"shop/even","zones":{"zone-a":4}})", "scale shop/even zone-a=4",
       "{}"},
      {"demand", R"({"zones":{"zone-a":0.8}})", "demand zone-a=80%", "{}"},
  };
  for (const Row& row : rows) {
    const net::HttpResponse response = ask("POST", std::string("/api/lab/") + row.action, row.body);
    EXPECT_EQ(response.status, 200) << row.action << response.body;
    EXPECT_EQ(response.body, row.answer) << row.action;
    EXPECT_EQ(lab_.last(), row.done) << row.action;
  }
}

TEST_F(WebServerTest, WritesPoliciesAsAnnotations) {
  serve();
  EXPECT_EQ(
      ask("POST", "/api/services/shop/lopsided/policy", R"({"policy":"balanced","overload":0.2})")
          .status,
      200);
  EXPECT_EQ(ask("POST", "/api/services/shop/lopsided/policy", R"({"policy":null})").status, 200);
  const std::string path = "PATCH /api/v1/namespaces/shop/services/lopsided ";
  EXPECT_EQ(api_.writes(),
            (std::vector<std::string>{
                path + R"({"metadata":{"annotations":{"proxima.io/policy":"balanced",)"
                       R"("proxima.io/overload":"0.2"}}})",
                path + R"({"metadata":{"annotations":{"proxima.io/policy":null,)"
                       R"("proxima.io/overload":null}}})"}));
  api_.answer_with(403);
  const net::HttpResponse refused =
      ask("POST", "/api/services/shop/lopsided/policy", R"({"policy":"auto"})");
  EXPECT_EQ(refused.status, 403);
  EXPECT_NE(error_of(refused).find("services is forbidden"), std::string::npos);
}

TEST_F(WebServerTest, ReadOnlyRefusesEverythingButPredictions) {
  serve(Changes::Refused);
  EXPECT_EQ(boost::json::parse(ask("GET", "/api/state").body).at("readOnly"), true);
  EXPECT_EQ(error_of(ask("POST", "/api/lab/heal", "{}")), "this page is read-only");
  EXPECT_EQ(ask("POST", "/api/services/shop/even/policy", R"({"policy":"auto"})").status, 403);
  EXPECT_TRUE(api_.writes().empty());
  const net::HttpResponse predicted = ask(
      "POST", "/api/predict", R"({"service":"shop/lopsided","policy":"balanced","overload":0.2})");
  ASSERT_EQ(predicted.status, 200) << predicted.body;
  const value document = boost::json::parse(predicted.body);
  EXPECT_GT(document.at("then").at("local").to_number<double>(), 0.9);
  EXPECT_LT(document.at("now").at("local").to_number<double>(), 0.4);
}

TEST_F(WebServerTest, WithoutALabThereAreNoActionsAndNothingIsMeasured) {
  serve(Changes::Allowed, false);
  EXPECT_EQ(error_of(ask("POST", "/api/lab/heal", "{}")), "there is no lab here");
  const value state = boost::json::parse(ask("GET", "/api/state").body);
  EXPECT_EQ(state.at("mode"), "cluster");
  EXPECT_TRUE(state.at("services").at(0).at("measured").is_null());
}

TEST_F(WebServerTest, ExplainsAsTheCommandLineDoes) {
  serve();
  const net::HttpResponse response = ask("GET", "/api/services/shop/lopsided/explain?from=node-3");
  ASSERT_EQ(response.status, 200);
  const value document = boost::json::parse(response.body);
  EXPECT_EQ(document.at("kind"), "Explanation");
  EXPECT_EQ(document.at("from").at("zone"), "zone-b");
  const value state = boost::json::parse(ask("GET", "/api/state").body);
  EXPECT_EQ(document.at("decisions").at(0).at("sentence"),
            state.at("services").at(1).at("plan").at("why").at("text"));
}

TEST_F(WebServerTest, FetchesTheRoutesOfANode) {
  support::RawListener proxy;
  source_.status_url = "http://127.0.0.1:" + std::to_string(proxy.port());
  serve();
  std::thread answering([&] {
    const RawSocket socket = proxy.accept();
    const std::string request = socket.receive_until("\r\n\r\n");
    EXPECT_TRUE(request.starts_with("GET /debug/routes HTTP/1.1\r\n")) << request;
    socket.send("HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n{\"families\":[]}");
  });
  const net::HttpResponse response = ask("GET", "/api/nodes/node-1/routes");
  answering.join();
  EXPECT_EQ(response.status, 200);
  EXPECT_EQ(response.body, "{\"families\":[]}");
  proxy.close();
  const net::HttpResponse gone = ask("GET", "/api/nodes/node-1/routes");
  EXPECT_EQ(gone.status, 502);
  EXPECT_NE(error_of(gone).find("the proxy of node-1 at http://127.0.0.1:"), std::string::npos);
}

TEST_F(WebServerTest, ANodeThatDoesNotAnswerKeepsNobodyElseWaiting) {
  const support::RawListener proxy;
  source_.status_url = "http://127.0.0.1:" + std::to_string(proxy.port());
  serve();
  auto routes = std::async(std::launch::async, [&] {
    const RawSocket socket = RawSocket::connect(server_->port());
    socket.send(std::string("GET /api/nodes/node-1/routes HTTP/1.1\r\nHost: localhost\r\n"
                            "Connection: close\r\nAuthorization: Bearer ") +
                kToken + "\r\n\r\n");
    return socket.receive_all();
  });
  const RawSocket asked = proxy.accept();
  asked.receive_until("\r\n\r\n");
  EXPECT_EQ(ask("GET", "/api/history").status, 200);
  EXPECT_EQ(ask("GET", "/api/services/shop/even/explain?from=node-3").status, 200);
  EXPECT_EQ(routes.wait_for(std::chrono::seconds(0)), std::future_status::timeout)
      << "it was answered before the node did";
  asked.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}");
  EXPECT_TRUE(routes.get().ends_with("{}"));
}

TEST_F(WebServerTest, ABodyIsNotReadBeforeTheTokenIsKnown) {
  serve();
  const std::string head = "POST /api/predict HTTP/1.1\r\nHost: localhost\r\n";
  // Nothing of the body is ever sent.
  const std::string refusal = raw(head + "Content-Length: 60000\r\n\r\n");
  EXPECT_TRUE(refusal.starts_with("HTTP/1.1 401 ")) << refusal;
  EXPECT_NE(refusal.find("Connection: close\r\n"), std::string::npos);
  EXPECT_NE(refusal.find("Content-Security-Policy: "), std::string::npos);
}

TEST_F(WebServerTest, SendsAStateWheneverItChanges) {
  serve();
  net::HttpRequest request{.target = "/api/stream"};
  request.headers.add("Authorization", std::string("Bearer ") + kToken);
  auto stream = client_->open(request, {}, {});
  ASSERT_TRUE(stream);
  EXPECT_EQ((*stream)->headers().find("Content-Type"), "text/event-stream");
  std::string text;
  const auto read_until = [&](const std::string& mark) {
    for (int pieces = 0; text.find(mark) == std::string::npos; ++pieces) {
      if (pieces == 100) return false;  // it tells of itself for ever
      const auto piece = (*stream)->read();
      if (!piece || piece->empty()) return false;
      text += *piece;
    }
    return true;
  };
  ASSERT_TRUE(read_until("\n\n"));
  EXPECT_TRUE(text.starts_with("event: state\nid: ")) << text.substr(0, 80);
  const std::size_t data = text.find("data: ") + 6;
  const value state = boost::json::parse(text.substr(data, text.find("\n\n") - data));
  EXPECT_EQ(state.at("services").at(1).at("policy"), "auto");
  shape_.annotate("lopsided", "proxima.io/overload=0.2,proxima.io/policy=balanced");
  EXPECT_TRUE(
      read_until("\"service\":\"shop/lopsided\",\"namespace\":\"shop\",\"name\":"
                 "\"lopsided\",\"clusterIP\":\"172.30.0.6\",\"clusterIPs\":[\"172.30.0.6\"],"
                 "\"policy\":\"balanced\""));
}

// What a reader does not take is not kept for it: others go on, and the memory of the server does
// not grow with what was missed.
TEST_F(WebServerTest, ASlowReaderHoldsUpNobody) {
  serve();
  const RawSocket slow = RawSocket::connect(server_->port(), 2048);
  slow.send(std::string("GET /api/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ") +
            kToken + "\r\n\r\n");
  for (int i = 0; i < 5; ++i) {
    shape_.annotate("even", i % 2 == 0 ? "proxima.io/policy=balanced" : "proxima.io/policy=auto");
    EXPECT_EQ(ask("GET", "/api/state").status, 200);
  }
  EXPECT_FALSE(slow.receive().empty());
}

TEST_F(WebServerTest, KeepsAHistory) {
  serve();
  ASSERT_EQ(ask("GET", "/api/state").status, 200);
  const value history = boost::json::parse(ask("GET", "/api/history").body);
  EXPECT_GE(history.at("times").as_array().size(), 1U);
  EXPECT_TRUE(history.at("services").as_object().contains("shop/even"));
}

TEST_F(WebServerTest, BrowsersKeepFilesWhoseNamesChangeWithThem) {
  serve();
  const std::string page = ask("GET", "/").body;
  const std::size_t begin = page.find("/assets/");
  ASSERT_NE(begin, std::string::npos) << page;
  const std::string path = page.substr(begin, page.find('"', begin) - begin);
  const net::HttpResponse file = ask("GET", path);
  EXPECT_EQ(file.status, 200) << path;
  EXPECT_EQ(file.headers.find("Cache-Control"), "private, max-age=31536000, immutable");
  net::HttpRequest again{.target = path};
  again.headers.add("Authorization", std::string("Bearer ") + kToken);
  again.headers.add("If-None-Match", std::string(*file.headers.find("ETag")));
  EXPECT_EQ(send(again).status, 304);
  EXPECT_EQ(ask("GET", "/").headers.find("Cache-Control"), "no-cache");
}

TEST_F(WebServerTest, RefusesATokenThatCouldBeGuessed) {
  WebServerOptions options;
  options.token = "short";
  const auto server = WebServer::start(std::move(options), {.caches = caches_,
                                                            .api = api_,
                                                            .clock = clock_,
                                                            .log = log_,
                                                            .live = nullptr,
                                                            .lab = nullptr});
  ASSERT_FALSE(server);
  EXPECT_EQ(server.error().message, "the token has fewer than 16 characters");
}

}  // namespace
}  // namespace proxima::web
