// SPDX-License-Identifier: Apache-2.0
// The client against an API server that is really there. KUBECONFIG says where; live_api_test.py
// starts one and runs this.
#include <gtest/gtest.h>
#include <unistd.h>

#include <boost/json.hpp>
#include <thread>

#include "kube/connect.h"
#include "kube/event_recorder.h"
#include "kube/leader_election.h"
#include "kube/object_client.h"

extern char** environ;

namespace proxima::kube {
namespace {

namespace json = boost::json;
using std::chrono::milliseconds;
using std::chrono::seconds;

Environment environment() {
  Environment all;
  for (char** entry = environ; *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos)
      all.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return all;
}

class LiveApi : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto connection = find_connection({.environment = environment()});
    ASSERT_TRUE(connection) << connection.error().message;
    HttpApiOptions options{.user_agent = user_agent("test"), .limits = {.qps = 0}};
    options.on_warning = [this](std::string_view text) { warnings_.emplace_back(text); };
    auto api = connect(*connection, environment(), options, clock_);
    ASSERT_TRUE(api) << api.error().message;
    api_ = std::move(api).value();
    client_.emplace(*api_);
  }
  json::object read(const ObjectRef& ref) {
    const auto text = client_->get(ref, {});
    EXPECT_TRUE(text) << text.error().message;
    return text ? json::parse(*text).as_object() : json::object();
  }
  ObjectRef fresh(const Resource& resource, const char* ns) {
    return {resource, ns, "live-" + std::to_string(::getpid()) + "-" + std::to_string(serial_++)};
  }
  static std::string object(const ObjectRef& ref, const char* more) {
    return std::string(R"({"apiVersion":"v1","kind":")") + std::string(ref.resource.kind) +
           R"(","metadata":{"name":")" + ref.name + "\"}" + more + "}";
  }

  SystemClock clock_;
  std::vector<std::string> warnings_;
  std::unique_ptr<KubeApi> api_;
  std::optional<ObjectClient> client_;
  static inline int serial_ = 0;
};

TEST_F(LiveApi, CreatesReadsUpdatesPatchesAndDeletes) {
  const ObjectRef ref = fresh(kConfigMaps, "default");
  const auto created = client_->create(ref, object(ref, R"(,"data":{"a":"1"})"), {});
  ASSERT_TRUE(created) << created.error().message;

  const auto again = client_->create(ref, object(ref, ""), {});
  ASSERT_FALSE(again);
  EXPECT_TRUE(is_already_exists(again.error())) << again.error().reason;

  EXPECT_TRUE(client_->patch(ref, PatchKind::Merge, R"({"data":{"b":"2"}})", {}));
  const auto stale = client_->update(ref, *created, {});
  ASSERT_FALSE(stale);
  EXPECT_TRUE(is_conflict(stale.error())) << stale.error().reason;

  EXPECT_TRUE(
      client_->patch(ref, PatchKind::Json, R"([{"op":"add","path":"/data/c","value":"3"}])", {}));
  EXPECT_TRUE(client_->patch(ref, PatchKind::Strategic, R"({"data":{"a":null}})", {}));
  json::object now = read(ref);
  EXPECT_EQ(json::serialize(now["data"]), R"({"b":"2","c":"3"})");
  now["data"] = json::object{{"d", "4"}};
  EXPECT_TRUE(client_->update(ref, json::serialize(now), {}));

  const auto wrong = client_->remove(ref, {.uid = "00000000-0000-0000-0000-000000000000"}, {});
  ASSERT_FALSE(wrong);
  EXPECT_TRUE(is_conflict(wrong.error())) << wrong.error().message;
  const std::string uid = now["metadata"].as_object()["uid"].as_string().c_str();
  EXPECT_TRUE(client_->remove(ref, {.uid = uid}, {}));
  const auto gone = client_->get(ref, {});
  ASSERT_FALSE(gone);
  EXPECT_TRUE(is_not_found(gone.error()));
  EXPECT_EQ(to_error(gone.error()).code, ErrorCode::NotFound);
}

TEST_F(LiveApi, WritesStatus) {
  const ObjectRef ref = fresh(kNodes, "");
  const auto created = client_->create(ref, object(ref, ""), {});
  ASSERT_TRUE(created) << created.error().message;
  json::object node = json::parse(*created).as_object();
  node["status"] = json::object{{"capacity", json::object{{"cpu", "4"}}}};
  ASSERT_TRUE(client_->update_status(ref, json::serialize(node), {}));
  EXPECT_EQ(read(ref)["status"].as_object()["capacity"].as_object()["cpu"].as_string(), "4");
  EXPECT_TRUE(client_->remove(ref, {}, {}));
}

TEST_F(LiveApi, ReadsAnAnswerThatIsLongEnoughToBePacked) {
  const ObjectRef ref = fresh(kConfigMaps, "default");
  const std::string text(400'000, 'x');
  ASSERT_TRUE(client_->create(ref, object(ref, (R"(,"data":{"a":")" + text + "\"}").c_str()), {}));
  EXPECT_EQ(read(ref)["data"].as_object()["a"].as_string(), text);
  EXPECT_TRUE(client_->remove(ref, {}, {}));
}

TEST_F(LiveApi, SaysWhatIsInvalid) {
  const ObjectRef ref{kConfigMaps, "default", "Not_A_Name"};
  const auto refused = client_->create(ref, object(ref, ""), {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().status, 422);
  EXPECT_EQ(refused.error().reason, "Invalid");
  EXPECT_EQ(to_error(refused.error()).code, ErrorCode::InvalidInput);
}

TEST_F(LiveApi, TheServerKnowsTheTimeLimit) {
  ObjectClient hurried(*api_, milliseconds(3000));
  EXPECT_TRUE(hurried.get({kNamespaces, "", "default"}, {}));
}

TEST_F(LiveApi, AWatchIsReadAsItComesAndEndsWhenCancelled) {
  const ApiRequest watch{"GET", resource_path(kNamespaces), {{"watch", "1"}}, {}, {}};
  const net::Cancellation cancellation;
  auto stream = api_->open(watch, seconds(20), cancellation);
  ASSERT_TRUE(stream) << stream.error().message;
  EXPECT_EQ((*stream)->status(), 200);
  const auto piece = (*stream)->read();
  ASSERT_TRUE(piece);
  EXPECT_TRUE(piece->starts_with(R"({"type":"ADDED")"));
  std::thread canceller([&] { cancellation.cancel(); });
  bool ended = false;
  for (int i = 0; i < 1000 && !ended; ++i) {
    const auto next = (*stream)->read();
    ended = !next || next->empty();
    EXPECT_FALSE(next && next->empty()) << "cut off, and it looks like the end";
  }
  EXPECT_TRUE(ended);
  canceller.join();
}

// Takes part in an election until it leads; gives up then.
std::string lead_once(KubeApi& api, Clock& clock, const std::string& name,
                      const std::string& identity) {
  const net::Cancellation cancellation;
  std::string seen;
  LeaderCallbacks callbacks;
  callbacks.on_started_leading = [&](const LeadershipGuard& guard) {
    seen = guard.valid() ? "valid" : "invalid";
    cancellation.cancel();
  };
  callbacks.on_error = [&](const std::string& message) { seen = message; };
  const auto elector =
      LeaderElector::create({.ns = "kube-system", .name = name, .election = {.identity = identity}},
                            api, clock, std::move(callbacks));
  const auto began = clock.steady_now();
  (*elector)->run(cancellation);
  return clock.steady_now() - began < seconds(10) ? seen : "late";
}

TEST_F(LiveApi, ALeaseIsTakenAndGivenBack) {
  const ObjectRef lease = fresh(kLeases, "kube-system");
  EXPECT_EQ(lead_once(*api_, clock_, lease.name, "one"), "valid");
  EXPECT_EQ(lead_once(*api_, clock_, lease.name, "two"), "valid");  // without waiting for 15 s
  const json::object object = read(lease);
  const json::object& spec = object.at("spec").as_object();
  EXPECT_EQ(spec.at("leaseTransitions").as_int64(), 1);
  EXPECT_EQ(spec.at("leaseDurationSeconds").as_int64(), 1);
  EXPECT_EQ(spec.contains("holderIdentity") ? spec.at("holderIdentity").as_string() : "", "");
  EXPECT_TRUE(client_->remove(lease, {}, {}));
}

TEST_F(LiveApi, EventsAreCountedAndCombined) {
  const std::string about = fresh(kServices, "default").name;
  std::vector<std::string> problems;
  {
    EventRecorder recorder(
        {.source = {"live-test", "here"},
         .on_problem = [&](const std::string& message) { problems.push_back(message); }},
        *api_, clock_);
    const ObjectReference web{"v1", "Service", "default", about, "u1", "", ""};
    for (int i = 0; i < 3; ++i) recorder.record(web, EventType::Normal, "Same", "again");
    for (int i = 0; i < 12; ++i)
      recorder.record(web, EventType::Warning, "Similar", "number " + std::to_string(i));
    recorder.flush();
  }
  EXPECT_TRUE(problems.empty()) << problems.front();
  const auto list = api_->send({"GET",
                                resource_path(kCoreEvents, "default"),
                                {{"fieldSelector", "involvedObject.name=" + about}},
                                {},
                                {}},
                               {});
  ASSERT_TRUE(list && list->ok());
  std::multimap<std::string, std::int64_t> counts;
  const json::value document = json::parse(list->body);
  for (const json::value& event : document.at("items").as_array())
    counts.emplace(event.at("message").as_string().c_str(), event.at("count").as_int64());
  EXPECT_EQ(counts.size(), 1U + 9U + 1U);
  EXPECT_EQ(counts.find("again")->second, 3);
  EXPECT_EQ(counts.find("(combined from similar events): number 11")->second, 3);
}

TEST_F(LiveApi, AWarningReachesTheCaller) {
  const auto list = api_->send({"GET", resource_path(kEndpoints, "default"), {}, {}, {}}, {});
  ASSERT_TRUE(list && list->ok());
  ASSERT_EQ(warnings_.size(), 1U);
  EXPECT_EQ(warnings_[0],
            "v1 Endpoints is deprecated in v1.33+; use discovery.k8s.io/v1 EndpointSlice");
}

}  // namespace
}  // namespace proxima::kube
