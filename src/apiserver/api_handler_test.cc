// SPDX-License-Identifier: Apache-2.0
// The whole server without its sockets: requests in, replies out, over a store in memory.
#include "apiserver/api_handler.h"

#include <gtest/gtest.h>

#include <boost/json/array.hpp>
#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <thread>

#include "apiserver/first_objects.h"
#include "apiserver/garbage_collector.h"
#include "apiserver/namespace_cleaner.h"
#include "apiserver/object_meta.h"
#include "support/failing_disk.h"
#include "support/fake_clock.h"
#include "support/patience.h"
#include "support/temp_folder.h"

namespace proxima::apiserver {
namespace {

namespace json = boost::json;

constexpr const char* kConfigMaps = "/api/v1/namespaces/default/configmaps";
constexpr const char* kPods = "/api/v1/namespaces/default/pods";

struct Answer {
  int status = 0;
  std::string text;
  net::HttpHeaders headers;

  json::object object() const {
    json::error_code error;
    const json::value value = json::parse(text, error);
    EXPECT_TRUE(!error && value.is_object()) << text;
    return value.is_object() ? value.get_object() : json::object();
  }
  std::string message() const { return std::string(text_field(object(), "message")); }
  std::string name() const { return std::string(meta_text(object(), "name")); }
  std::string revision() const { return std::string(meta_text(object(), "resourceVersion")); }
};

class ApiHandlerTest : public ::testing::Test {
 protected:
  ApiHandlerTest() { start({.path = ":memory:"}); }

  void start(StoreOptions options) {
    store_ = std::move(Store::open(std::move(options))).value();
    allocator_ = std::move(ServiceAllocator::create({})).value();
    registry_ = std::make_unique<ObjectRegistry>(*store_, *allocator_, clock_, 1);
    collector_ = std::make_unique<GarbageCollector>(*registry_, [] {});
    cleaner_ = std::make_unique<NamespaceCleaner>(*registry_, [] {});
    handler_ = std::make_unique<ApiHandler>(
        *store_, *registry_, clock_, ApiHandlerOptions{{"admin-token", "reader-token"}, "host:1"});
    const auto made = make_first_objects(*registry_, {{"10.96.0.0/16"}, "127.0.0.1", 6443}, clock_);
    EXPECT_TRUE(made) << made.error().message;
  }

  net::Reply reply(const std::string& method, const std::string& target,
                   const std::string& body = {}, net::HttpHeaders headers = {}) {
    net::HttpRequest request{method, target, std::move(headers), body};
    if (!request.headers.find("Authorization"))
      request.headers.add("Authorization", "Bearer admin-token");
    if (!body.empty() && !request.headers.find("Content-Type"))
      request.headers.add("Content-Type", "application/json");
    net::Reply out = handler_->handle(request);
    while (out.ready && !out.ready()) std::this_thread::yield();
    if (out.settle) out.settle(out);
    return out;
  }

  Answer ask(const std::string& method, const std::string& target, const std::string& body = {},
             net::HttpHeaders headers = {}) {
    net::Reply out = reply(method, target, body, std::move(headers));
    Answer answer{out.response.status, out.response.body, out.response.headers};
    if (out.stream) answer.text += pull_all(*out.stream);
    return answer;
  }

  // Everything that is there now.
  std::string pull_all(net::BodySource& body) {
    std::string out;
    for (;;) {
      // Asked before the pull: what became durable during it is for the next one.
      const bool settled = store_->durable() == store_->revision();
      switch (body.pull(out, 1000)) {
        case net::Pull::More:
          continue;
        case net::Pull::Wait:
          if (body.next_deadline() <= clock_.steady_now()) continue;
          if (settled && store_->durable() == store_->revision()) return out;
          std::this_thread::yield();
          continue;
        case net::Pull::End:
          return out + "<end>";
        case net::Pull::Cut:
          return out + "<cut>";
      }
    }
  }
  static std::string without_end(std::string text) {
    if (text.ends_with("<end>")) text.resize(text.size() - 5);
    return text;
  }
  Answer list(const std::string& target, net::HttpHeaders headers = {}) {
    Answer answer = ask("GET", target, {}, std::move(headers));
    answer.text = without_end(answer.text);
    return answer;
  }

  // "ADDED a, MODIFIED a"
  static std::string events(const std::string& lines) {
    std::string out;
    std::size_t begin = 0;
    while (begin < lines.size() && lines[begin] == '{') {
      const std::size_t end = lines.find('\n', begin);
      const json::object event = json::parse(lines.substr(begin, end - begin)).as_object();
      const json::object& object = child_object(event, "object");
      out += (out.empty() ? "" : ", ") + std::string(text_field(event, "type"));
      const std::string_view name = meta_text(object, "name");
      if (!name.empty()) out += " " + std::string(name);
      begin = end + 1;
    }
    return out + lines.substr(std::min(begin, lines.size()));
  }

  static std::string names(const json::object& list) {
    std::string out;
    for (const json::value& item : list.at("items").as_array())
      out += (out.empty() ? "" : " ") + std::string(meta_text(item.as_object(), "name"));
    return out;
  }

  void chores() {
    while (collector_->step(10) || cleaner_->step(10)) {
    }
  }
  std::string make(const std::string& collection, const std::string& body) {
    const Answer answer = ask("POST", collection, body);
    EXPECT_EQ(answer.status, 201) << answer.text;
    return std::string(meta_text(answer.object(), "uid"));
  }
  int status_of(const std::string& path) { return ask("GET", path).status; }

  testing::FakeClock clock_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<ServiceAllocator> allocator_;
  std::unique_ptr<ObjectRegistry> registry_;
  std::unique_ptr<GarbageCollector> collector_;
  std::unique_ptr<NamespaceCleaner> cleaner_;
  std::unique_ptr<ApiHandler> handler_;
};

std::string config_map(const std::string& name, const std::string& more = {}) {
  return R"({"metadata":{"name":")" + name + "\"" + more + "}}";
}

std::string owned(const std::string& name, const std::string& owner, const std::string& uid,
                  bool blocks = false) {
  return config_map(name, R"(,"ownerReferences":[{"apiVersion":"v1","kind":"ConfigMap","name":")" +
                              owner + R"(","uid":")" + uid + R"(","blockOwnerDeletion":)" +
                              (blocks ? "true" : "false") + "}]");
}

std::string pod_on(const std::string& name, const std::string& node) {
  return R"({"metadata":{"name":")" + name + R"("},"spec":{"nodeName":")" + node +
         R"(","containers":[{"name":"c","image":"i"}]}})";
}

TEST_F(ApiHandlerTest, LetsNobodyInWithoutAToken) {
  for (const char* header : {"", "Bearer", "Bearer ", "Bearer admin-toke", "Basic admin-token"}) {
    const Answer answer = ask("GET", "/api/v1/pods", {}, {{"Authorization", header}});
    EXPECT_EQ(answer.status, 401) << header;
    EXPECT_EQ(answer.message(), "Unauthorized");
  }
}

TEST_F(ApiHandlerTest, ReadersOnlyRead) {
  const net::HttpHeaders reader{{"Authorization", "bearer reader-token"}};
  EXPECT_EQ(ask("GET", kConfigMaps, {}, reader).status, 200);
  const Answer refused = ask("POST", kConfigMaps, config_map("a"), reader);
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.message(),
            "configmaps is forbidden: User \"readonly\" cannot create resource \"configmaps\" in "
            "API group \"\" in the namespace \"default\"");
  EXPECT_EQ(ask("DELETE", "/api/v1/nodes/n", {}, reader).message(),
            "nodes \"n\" is forbidden: User \"readonly\" cannot delete resource \"nodes\" in API "
            "group \"\" at the cluster scope");
}

TEST_F(ApiHandlerTest, KeepsWhatIsCreatedAndRaisesTheRevisionOnlyForChanges) {
  const Answer made = ask("POST", kConfigMaps, config_map("a"));
  ASSERT_EQ(made.status, 201) << made.text;
  EXPECT_EQ(ask("GET", std::string(kConfigMaps) + "/a").text, made.text);
  const Answer same = ask("PUT", std::string(kConfigMaps) + "/a", config_map("a"));
  EXPECT_EQ(same.revision(), made.revision());
  const Answer changed =
      ask("PUT", std::string(kConfigMaps) + "/a", R"({"metadata":{"name":"a"},"data":{"x":"y"}})");
  EXPECT_GT(std::stoi(changed.revision()), std::stoi(made.revision()));
  const Answer stale = ask("PUT", std::string(kConfigMaps) + "/a",
                           config_map("a", ",\"resourceVersion\":\"" + made.revision() + "\""));
  EXPECT_EQ(stale.status, 409);
  EXPECT_EQ(ask("POST", kConfigMaps, config_map("a")).status, 409);
}

TEST_F(ApiHandlerTest, MakesNamesThatWereAskedFor) {
  const Answer made = ask("POST", kConfigMaps, R"({"metadata":{"generateName":"web-"}})");
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.name().size(), 9U);
  EXPECT_TRUE(made.name().starts_with("web-"));
}

TEST_F(ApiHandlerTest, ADryRunAnswersAndChangesNothing) {
  const Revision before = store_->revision();
  EXPECT_EQ(ask("POST", std::string(kConfigMaps) + "?dryRun=All", config_map("a")).status, 201);
  EXPECT_EQ(ask("POST", "/api/v1/namespaces/default/services?dryRun=All",
                R"({"metadata":{"name":"s"},"spec":{"ports":[{"port":80}],"type":"NodePort"}})")
                .status,
            201);
  EXPECT_EQ(store_->revision(), before);
  EXPECT_EQ(status_of(std::string(kConfigMaps) + "/a"), 404);
}

TEST_F(ApiHandlerTest, PatchesInThreeWays) {
  make(kConfigMaps, R"({"metadata":{"name":"a"},"data":{"x":"1"}})");
  const std::string path = std::string(kConfigMaps) + "/a";
  EXPECT_EQ(ask("PATCH", path, R"({"data":{"y":"2"}})",
                {{"Content-Type", "application/merge-patch+json"}})
                .status,
            200);
  EXPECT_EQ(ask("PATCH", path, R"([{"op":"remove","path":"/data/x"}])",
                {{"Content-Type", "application/json-patch+json"}})
                .status,
            200);
  const Answer last = ask("PATCH", path, R"({"metadata":{"labels":{"l":"m"}}})",
                          {{"Content-Type", "application/strategic-merge-patch+json"}});
  EXPECT_EQ(json::serialize(last.object().at("data")), R"({"y":"2"})");
  EXPECT_EQ(ask("PATCH", path, "{}", {{"Content-Type", "application/apply-patch+yaml"}}).status,
            415);
}

TEST_F(ApiHandlerTest, RefusesAnUnknownNamespace) {
  const Answer answer = ask("POST", "/api/v1/namespaces/nope/configmaps", config_map("a"));
  EXPECT_EQ(answer.status, 404);
  EXPECT_EQ(answer.message(), "namespaces \"nope\" not found");
}

TEST_F(ApiHandlerTest, ListsInPagesOfOneRevision) {
  for (const char* name : {"a", "b", "c", "d", "e"}) make(kConfigMaps, config_map(name));
  const json::object first = list(std::string(kConfigMaps) + "?limit=2").object();
  EXPECT_EQ(names(first), "a b");
  EXPECT_EQ(integer_field(metadata_of(first), "remainingItemCount"), 3);
  ask("DELETE", std::string(kConfigMaps) + "/d");
  make(kConfigMaps, config_map("aa"));
  const std::string token(meta_text(first, "continue"));
  const json::object second =
      list(std::string(kConfigMaps) + "?limit=2&continue=" + token).object();
  EXPECT_EQ(names(second), "c d");
  EXPECT_EQ(integer_field(metadata_of(second), "remainingItemCount"), 1);
  EXPECT_EQ(meta_text(second, "resourceVersion"), meta_text(first, "resourceVersion"));
  const json::object third = list(std::string(kConfigMaps) +
                                  "?limit=2&continue=" + std::string(meta_text(second, "continue")))
                                 .object();
  EXPECT_EQ(names(third), "e");
  EXPECT_EQ(meta_text(third, "continue"), "");
}

TEST_F(ApiHandlerTest, ContinuesInconsistentlyWhenTheHistoryIsGone) {
  start({.path = ":memory:", .history = 5});
  for (const char* name : {"a", "b", "c"}) make(kConfigMaps, config_map(name));
  const json::object first = list(std::string(kConfigMaps) + "?limit=1").object();
  for (int i = 0; i < 20; ++i) make(kConfigMaps, R"({"metadata":{"generateName":"z"}})");
  const Answer gone = list(std::string(kConfigMaps) +
                           "?limit=1&continue=" + std::string(meta_text(first, "continue")));
  EXPECT_EQ(gone.status, 410);
  EXPECT_EQ(text_field(gone.object(), "reason"), "Expired");
  const std::string token(meta_text(gone.object(), "continue"));
  EXPECT_EQ(names(list(std::string(kConfigMaps) + "?limit=1&continue=" + token).object()), "b");
  EXPECT_EQ(list(std::string(kConfigMaps) + "?resourceVersion=1&resourceVersionMatch=Exact").status,
            410);
}

TEST_F(ApiHandlerTest, ListsTellTheFutureFromThePast) {
  const Answer early = list("/api/v1/pods?resourceVersion=9999");
  EXPECT_EQ(early.status, 504);
  EXPECT_EQ(early.headers.find("Retry-After").value_or(""), "1");
  const json::object exact =
      list("/api/v1/namespaces?resourceVersion=2&resourceVersionMatch=Exact").object();
  EXPECT_EQ(names(exact), "default kube-system");
}

TEST_F(ApiHandlerTest, WatchesFromARevisionInOrder) {
  make(kConfigMaps, config_map("a"));
  const std::string from = list(kConfigMaps).revision();
  net::Reply watch = reply("GET", std::string(kConfigMaps) + "?watch=1&resourceVersion=" + from);
  make(kConfigMaps, config_map("b"));
  ask("PUT", std::string(kConfigMaps) + "/a", R"({"metadata":{"name":"a"},"data":{"x":"y"}})");
  ask("DELETE", std::string(kConfigMaps) + "/b");
  make("/api/v1/nodes", config_map("n"));
  EXPECT_EQ(events(pull_all(*watch.stream)), "ADDED b, MODIFIED a, DELETED b");
}

TEST_F(ApiHandlerTest, AWatchFollowsItsSelection) {
  net::Reply watch = reply("GET", std::string(kConfigMaps) + "?watch=1&labelSelector=on%3Dyes");
  const std::string path = std::string(kConfigMaps) + "/a";
  make(kConfigMaps, config_map("a"));
  ask("PUT", path, config_map("a", R"(,"labels":{"on":"yes"})"));
  ask("PUT", path, config_map("a", R"(,"labels":{"on":"yes","x":"y"})"));
  ask("PUT", path, config_map("a"));
  ask("DELETE", path);
  EXPECT_EQ(events(pull_all(*watch.stream)), "ADDED a, MODIFIED a, DELETED a");
}

TEST_F(ApiHandlerTest, InitialEventsEndWithABookmark) {
  make(kConfigMaps, config_map("a"));
  net::Reply watch = reply("GET", std::string(kConfigMaps) +
                                      "?watch=1&sendInitialEvents=true&allowWatchBookmarks=true&"
                                      "resourceVersionMatch=NotOlderThan");
  const std::string text = pull_all(*watch.stream);
  EXPECT_EQ(events(text), "ADDED a, BOOKMARK");
  EXPECT_NE(text.find(R"("k8s.io/initial-events-end":"true")"), std::string::npos);
}

TEST_F(ApiHandlerTest, WatchesGetBookmarksAndAnEnd) {
  net::Reply watch = reply("GET", "/api/v1/pods?watch=1&allowWatchBookmarks=1&timeoutSeconds=100");
  EXPECT_EQ(events(pull_all(*watch.stream)), "");
  clock_.advance(std::chrono::seconds(61));
  EXPECT_EQ(events(pull_all(*watch.stream)), "BOOKMARK");
  clock_.advance(std::chrono::seconds(61));
  EXPECT_EQ(events(pull_all(*watch.stream)), "<end>");
}

TEST_F(ApiHandlerTest, AWatchThatTheHistoryHasOvertakenIsToldAndEnded) {
  start({.path = ":memory:", .history = 5});
  net::Reply watch = reply("GET", std::string(kConfigMaps) + "?watch=1&resourceVersion=0");
  pull_all(*watch.stream);
  for (int i = 0; i < 20; ++i) make(kConfigMaps, R"({"metadata":{"generateName":"z"}})");
  const std::string text = pull_all(*watch.stream);
  EXPECT_TRUE(events(text).starts_with("ERROR")) << text;
  EXPECT_NE(text.find("\"code\":410"), std::string::npos);
  EXPECT_TRUE(text.ends_with("<end>"));
  const Answer late = ask("GET", std::string(kConfigMaps) + "?watch=1&resourceVersion=1");
  EXPECT_EQ(late.status, 200);
  EXPECT_TRUE(events(late.text).starts_with("ERROR")) << late.text;
}

TEST_F(ApiHandlerTest, ShowsTablesAndMetadata) {
  make(kConfigMaps, R"({"metadata":{"name":"a"},"data":{"secret":"value"}})");
  const Answer table =
      list(kConfigMaps, {{"Accept", "application/json;as=Table;v=v1;g=meta.k8s.io"}});
  EXPECT_EQ(text_field(table.object(), "kind"), "Table");
  EXPECT_EQ(table.object().at("rows").as_array().size(), 1U);
  const Answer meta =
      list(kConfigMaps,
           {{"Accept", "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"}});
  EXPECT_EQ(text_field(meta.object(), "kind"), "PartialObjectMetadataList");
  EXPECT_EQ(meta.text.find("secret"), std::string::npos);
  EXPECT_EQ(list(kConfigMaps, {{"Accept", "text/html"}}).status, 406);
}

TEST_F(ApiHandlerTest, APodOnANodeGoesInTwoSteps) {
  make(kPods, pod_on("bound", "n"));
  make(kPods, pod_on("free", ""));
  const Answer first = ask("DELETE", std::string(kPods) + "/bound");
  EXPECT_EQ(first.status, 200);
  EXPECT_EQ(integer_field(metadata_of(first.object()), "deletionGracePeriodSeconds"), 30);
  EXPECT_EQ(status_of(std::string(kPods) + "/bound"), 200);
  EXPECT_EQ(ask("DELETE", std::string(kPods) + "/bound?gracePeriodSeconds=0").status, 200);
  EXPECT_EQ(status_of(std::string(kPods) + "/bound"), 404);
  EXPECT_EQ(ask("DELETE", std::string(kPods) + "/free").status, 200);
  EXPECT_EQ(status_of(std::string(kPods) + "/free"), 404);
}

TEST_F(ApiHandlerTest, FinalizersHoldAnObject) {
  make(kConfigMaps, config_map("a", R"(,"finalizers":["example.com/hold"])"));
  const std::string path = std::string(kConfigMaps) + "/a";
  EXPECT_EQ(ask("DELETE", path).status, 200);
  const Answer held = ask("GET", path);
  EXPECT_FALSE(meta_text(held.object(), "deletionTimestamp").empty());
  EXPECT_EQ(ask("PATCH", path, R"({"metadata":{"finalizers":null}})",
                {{"Content-Type", "application/merge-patch+json"}})
                .status,
            200);
  EXPECT_EQ(status_of(path), 404);
}

TEST_F(ApiHandlerTest, DependentsGoWhenAllTheirOwnersAreGone) {
  const std::string uid = make(kConfigMaps, config_map("owner"));
  make(kConfigMaps, owned("child", "owner", uid));
  make(kConfigMaps, owned("stray", "owner", "another-uid"));
  chores();
  EXPECT_EQ(status_of(std::string(kConfigMaps) + "/child"), 200);
  EXPECT_EQ(status_of(std::string(kConfigMaps) + "/stray"), 404);
  ask("DELETE", std::string(kConfigMaps) + "/owner");
  chores();
  EXPECT_EQ(status_of(std::string(kConfigMaps) + "/child"), 404);
}

TEST_F(ApiHandlerTest, OrphansStayWithoutTheirOwner) {
  const std::string uid = make(kConfigMaps, config_map("owner"));
  make(kConfigMaps, owned("child", "owner", uid));
  ask("DELETE", std::string(kConfigMaps) + "/owner?propagationPolicy=Orphan");
  chores();
  EXPECT_EQ(status_of(std::string(kConfigMaps) + "/owner"), 404);
  const Answer child = ask("GET", std::string(kConfigMaps) + "/child");
  EXPECT_EQ(child.status, 200);
  EXPECT_TRUE(owners_of(child.object()).empty());
}

TEST_F(ApiHandlerTest, InTheForegroundAnOwnerWaitsForItsDependents) {
  const std::string uid = make(kConfigMaps, config_map("owner"));
  make(kConfigMaps, owned("child", "owner", uid, true));
  const std::string hold = R"({"metadata":{"finalizers":["example.com/hold"]}})";
  const net::HttpHeaders merge{{"Content-Type", "application/merge-patch+json"}};
  ask("PATCH", std::string(kConfigMaps) + "/child", hold, merge);
  ask("DELETE", std::string(kConfigMaps) + "/owner?propagationPolicy=Foreground");
  chores();
  EXPECT_EQ(status_of(std::string(kConfigMaps) + "/owner"), 200);
  ask("PATCH", std::string(kConfigMaps) + "/child", R"({"metadata":{"finalizers":null}})", merge);
  chores();
  EXPECT_EQ(status_of(std::string(kConfigMaps) + "/child"), 404);
  EXPECT_EQ(status_of(std::string(kConfigMaps) + "/owner"), 404);
}

TEST_F(ApiHandlerTest, ANamespaceGoesWithAllThatIsInIt) {
  make("/api/v1/namespaces", config_map("shop"));
  for (int i = 0; i < 30; ++i)
    make("/api/v1/namespaces/shop/configmaps", R"({"metadata":{"generateName":"c"}})");
  const Answer going = ask("DELETE", "/api/v1/namespaces/shop");
  EXPECT_EQ(text_field(child_object(going.object(), "status"), "phase"), "Terminating");
  const Answer refused = ask("POST", "/api/v1/namespaces/shop/configmaps", config_map("a"));
  EXPECT_EQ(refused.status, 403);
  EXPECT_EQ(refused.message(),
            "configmaps \"a\" is forbidden: unable to create new content in namespace shop because "
            "it is being terminated");
  chores();
  EXPECT_EQ(status_of("/api/v1/namespaces/shop"), 404);
  EXPECT_EQ(names(list("/api/v1/namespaces/shop/configmaps").object()), "");
  EXPECT_EQ(ask("DELETE", "/api/v1/namespaces/default").status, 403);
}

// A selection is looked for in shares, so that other requests have their turn.
TEST_F(ApiHandlerTest, FindsTheFewAmongTheMany) {
  net::Reply watch = reply("GET", std::string(kConfigMaps) + "?watch=1&labelSelector=rare");
  for (int i = 0; i < 1000; ++i)
    make(kConfigMaps, R"({"metadata":{"name":"c)" + std::to_string(1000 + i) + "\"" +
                          (i % 400 == 399 ? R"(,"labels":{"rare":"yes"})" : "") + "}}");
  EXPECT_EQ(names(list(std::string(kConfigMaps) + "?labelSelector=rare").object()), "c1399 c1799");
  const json::object page = list(std::string(kConfigMaps) + "?labelSelector=rare&limit=1").object();
  EXPECT_EQ(names(page), "c1399");
  EXPECT_EQ(metadata_of(page).if_contains("remainingItemCount"), nullptr);
  const json::object next =
      list(std::string(kConfigMaps) +
           "?labelSelector=rare&limit=1&continue=" + std::string(meta_text(page, "continue")))
          .object();
  EXPECT_EQ(names(next), "c1799");
  EXPECT_EQ(meta_text(next, "continue"), "");
  EXPECT_EQ(events(pull_all(*watch.stream)), "ADDED c1399, ADDED c1799");
  net::Reply late = reply("GET", std::string(kConfigMaps) + "?watch=1&labelSelector=rare");
  EXPECT_EQ(events(pull_all(*late.stream)), "ADDED c1399, ADDED c1799");
}

TEST_F(ApiHandlerTest, DeletesACollectionBySelection) {
  for (int i = 0; i < 700; ++i)
    make(kConfigMaps, R"({"metadata":{"generateName":"c","labels":{"go":"yes"}}})");
  make(kConfigMaps, config_map("stays"));
  Answer deleted = ask("DELETE", std::string(kConfigMaps) + "?labelSelector=go%3Dyes");
  deleted.text = without_end(deleted.text);
  EXPECT_EQ(deleted.object().at("items").as_array().size(), 700U);
  EXPECT_EQ(names(list(kConfigMaps).object()), "stays");
}

TEST_F(ApiHandlerTest, EventsHaveTwoFaces) {
  const Answer made =
      ask("POST", "/apis/events.k8s.io/v1/namespaces/default/events",
          R"({"metadata":{"name":"e"},"eventTime":"2026-01-01T00:00:00.000000Z","note":"hello",
          "reportingController":"c","reportingInstance":"i","action":"a","reason":"R",
          "type":"Normal","regarding":{"kind":"Pod","namespace":"default","name":"p"}})");
  ASSERT_EQ(made.status, 201) << made.text;
  const json::object core = ask("GET", "/api/v1/namespaces/default/events/e").object();
  EXPECT_EQ(text_field(core, "message"), "hello");
  EXPECT_EQ(text_field(core, "apiVersion"), "v1");
  EXPECT_EQ(text_field(child_object(core, "involvedObject"), "name"), "p");
  const json::object item =
      list("/apis/events.k8s.io/v1/events?fieldSelector=regarding.name%3Dp").object();
  EXPECT_EQ(names(item), "e");
  EXPECT_EQ(text_field(item.at("items").as_array()[0].as_object(), "note"), "hello");
  // Always there in core/v1, where it may be empty; in events.k8s.io/v1 only with a value.
  make("/api/v1/namespaces/default/events",
       R"({"metadata":{"name":"f"},"involvedObject":{"namespace":"default"}})");
  EXPECT_TRUE(
      ask("GET", "/api/v1/namespaces/default/events/f").object().contains("reportingInstance"));
  EXPECT_FALSE(ask("GET", "/apis/events.k8s.io/v1/namespaces/default/events/f")
                   .object()
                   .contains("reportingInstance"));
}

TEST_F(ApiHandlerTest, WarnsOfUnknownFieldsOrRefusesThem) {
  const std::string body = R"({"metadata":{"name":"a"},"bogus":1})";
  const Answer warned = ask("POST", kConfigMaps, body);
  EXPECT_EQ(warned.headers.find("Warning").value_or(""), R"(299 - "unknown field \"bogus\"")");
  const Answer refused = ask("POST", std::string(kConfigMaps) + "?fieldValidation=Strict", body);
  EXPECT_EQ(refused.status, 400);
}

TEST_F(ApiHandlerTest, PutMakesOnlyWhatUpstreamLetsItMake) {
  EXPECT_EQ(ask("PUT", std::string(kConfigMaps) + "/a", config_map("a")).status, 404);
  const std::string leases = "/apis/coordination.k8s.io/v1/namespaces/default/leases";
  EXPECT_EQ(ask("PUT", leases + "/l", config_map("l")).status, 201);
  EXPECT_EQ(ask("PUT", leases + "/l", config_map("l")).status, 422);
}

TEST_F(ApiHandlerTest, GivesAPodItsNodeByABindingAndOnlyOnce) {
  make(kPods, pod_on("free", ""));
  const std::string binding = std::string(kPods) + "/free/binding";
  const Answer first = ask("POST", binding, R"({"target":{"kind":"Node","name":"node-1"}})");
  EXPECT_EQ(first.status, 201) << first.text;
  EXPECT_EQ(text_field(first.object(), "status"), "Success");
  const json::object bound = ask("GET", std::string(kPods) + "/free").object();
  EXPECT_EQ(text_field(child_object(bound, "spec"), "nodeName"), "node-1");
  EXPECT_NE(json::serialize(bound).find(R"("type":"PodScheduled","status":"True")"),
            std::string::npos);
  const Answer again = ask("POST", binding, R"({"target":{"name":"node-2"}})");
  EXPECT_EQ(again.status, 409);
  EXPECT_EQ(again.message(),
            "Operation cannot be fulfilled on pods/binding \"free\": pod free is already assigned "
            "to node \"node-1\"");
}

TEST_F(ApiHandlerTest, RefusesBindingsThatMakeNoSense) {
  make(kPods, pod_on("free", ""));
  const std::string binding = std::string(kPods) + "/free/binding";
  EXPECT_EQ(ask("POST", binding, R"({"target":{"kind":"Pod","name":"n"}})").status, 422);
  EXPECT_EQ(ask("POST", binding, R"({"target":{}})").message(),
            "Binding \"free\" is invalid: target.name: Required value");
  EXPECT_EQ(ask("POST", binding, R"({"metadata":{"name":"other"},"target":{"name":"n"}})").status,
            400);
  EXPECT_EQ(ask("POST", binding, R"({"metadata":{"uid":"old"},"target":{"name":"n"}})").status,
            409);
  EXPECT_EQ(ask("POST", binding, "[1").status, 400);
  EXPECT_EQ(ask("POST", binding, "[1]").status, 400);
  EXPECT_EQ(ask("POST", std::string(kPods) + "/none/binding", R"({"target":{"name":"n"}})").status,
            404);
  EXPECT_EQ(ask("GET", binding).status, 405);
}

TEST_F(ApiHandlerTest, HasNoCustomKindsAndSaysSo) {
  const Answer answer = ask("GET", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions");
  EXPECT_EQ(answer.status, 200);
  EXPECT_EQ(answer.object().at("items").as_array().size(), 0U);
  EXPECT_EQ(ask("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", "{}").status,
            404);
}

TEST_F(ApiHandlerTest, SaysWhetherItIsWell) {
  EXPECT_EQ(ask("GET", "/readyz").text, "ok");
  EXPECT_EQ(ask("GET", "/livez?verbose").text, "[+]ping ok\n[+]store ok\nlivez check passed\n");
  EXPECT_EQ(ask("GET", "/readyz/store").text, "ok");
  EXPECT_EQ(ask("GET", "/readyz/nope").status, 404);
}

// Any of these may come from a client; none may do harm.
TEST_F(ApiHandlerTest, AnswersNonsenseWithARefusal) {
  for (const char* target :
       {"/api/v1/namespaces//pods", "/api/v1/namespaces/%zz/pods", "/api/v1/pods?limit=%",
        "/api/v1/pods?continue=%00", "/api/v1/pods?labelSelector=((((", "/api", "/apis/",
        "/api/v1/namespaces/a/b/c/d/e", "/api/v1/pods?resourceVersion=-1", "//", "?", ""}) {
    for (const char* method : {"GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "BREW"}) {
      const Answer answer = ask(method, target, "\xff{");
      EXPECT_TRUE(answer.status >= 200 && answer.status < 600) << method << " " << target;
    }
  }
}

// A write beyond the queue limit used to block the loop until the disk had caught up.
TEST_F(ApiHandlerTest, AsksClientsToRetryWhileTheDiskCannotKeepUp) {
  const proxima::testing::TempFolder folder;
  test::FailingDisk disk(1);
  start({.path = folder.path() + "/proxima.db"});
  disk.hold_syncs();
  const auto request = [](int number) {
    net::HttpRequest made{"POST",
                          kConfigMaps,
                          {},
                          R"({"metadata":{"name":"m)" + std::to_string(number) +
                              R"("},"data":{"k":")" + std::string(1'000'000, 'x') + "\"}}"};
    made.headers.add("Authorization", "Bearer admin-token");
    made.headers.add("Content-Type", "application/json");
    return made;
  };
  // Two batches: one is being written, one is waiting.
  int number = 0;
  while (!store_->congested() && number < 200) handler_->handle(request(++number));
  ASSERT_LT(number, 200);
  const net::Reply refused = handler_->handle(request(++number));
  EXPECT_EQ(refused.response.status, 429) << refused.response.body;
  EXPECT_EQ(refused.response.headers.find("Retry-After"), "1");
  disk.release_syncs();
  ASSERT_TRUE(proxima::testing::eventually([&] { return !store_->congested(); }));
  EXPECT_EQ(handler_->handle(request(number)).response.status, 201);
  // The store writes until it is destroyed, so it must go before the disk.
  handler_.reset();
  cleaner_.reset();
  collector_.reset();
  registry_.reset();
  store_.reset();
}

// Seconds that overflow a clock made deletions of the year 1873.
TEST_F(ApiHandlerTest, BoundsTheGracePeriodOfAPod) {
  const struct {
    const char* name;
    std::string query;
    std::string body;
    int status;
    std::int64_t seconds;
  } cases[] = {
      {"a usual one", "", R"({"gracePeriodSeconds":30})", 200, 30},
      {"the largest of its type", "", R"({"gracePeriodSeconds":9223372036854775807})", 200,
       3'153'600'000},
      {"the same in the query", "?gracePeriodSeconds=9223372036854775807", "", 200, 3'153'600'000},
      {"more than its type holds", "", R"({"gracePeriodSeconds":18446744073709551615})", 400, 0},
      {"negative means one second", "", R"({"gracePeriodSeconds":-9223372036854775808})", 200, 1},
  };
  int number = 0;
  for (const auto& c : cases) {
    SCOPED_TRACE(c.name);
    const std::string name = "p" + std::to_string(++number);
    ask("POST", kPods,
        R"({"metadata":{"name":")" + name +
            R"("},"spec":{"nodeName":"n","containers":[{"name":"c","image":"i"}]}})");
    const Answer answer = ask("DELETE", std::string(kPods) + "/" + name + c.query, c.body);
    EXPECT_EQ(answer.status, c.status) << answer.text;
    if (c.status != 200) continue;
    const json::object object = answer.object();
    EXPECT_EQ(integer_field(metadata_of(object), "deletionGracePeriodSeconds"), c.seconds);
    EXPECT_LT(meta_text(object, "creationTimestamp"), meta_text(object, "deletionTimestamp"));
  }
}

}  // namespace
}  // namespace proxima::apiserver
