// SPDX-License-Identifier: Apache-2.0
// What clients are told while the disk of their server fails: whatever was acknowledged or read is
// there after a power loss, and everything else was refused in clear words.
#include <gtest/gtest.h>

#include <deque>
#include <filesystem>
#include <map>
#include <set>

#include "apiserver/api_handler.h"
#include "apiserver/first_objects.h"
#include "apiserver/object_meta.h"
#include "base/split_mix.h"
#include "support/failing_disk.h"
#include "support/fake_clock.h"
#include "support/patience.h"
#include "support/random_runs.h"
#include "support/temp_folder.h"

namespace proxima::apiserver {
namespace {

constexpr const char* kCollection = "/api/v1/namespaces/default/configmaps";
constexpr const char* kAbsent = "absent";

// What an object holds: kAbsent, or the text that the client gave it.
std::string content_of(const Store& store, const std::string& name) {
  const StoredObjectPtr object = store.find({Kind::ConfigMap, "default", name});
  if (object == nullptr) return kAbsent;
  return std::string(text_field(child_object(parse_stored(object->json), "data"), "text"));
}

// A server without its sockets.
struct ServerOnDisk {
  ServerOnDisk(std::unique_ptr<Store> opened, const Clock& clock)
      : store(std::move(opened)),
        allocator(std::move(ServiceAllocator::create({})).value()),
        registry(*store, *allocator, clock, 1),
        handler(*store, registry, clock, {{"admin-token", "reader-token"}, "host:1"}) {
    const auto made = make_first_objects(registry, {{"10.96.0.0/16"}, "127.0.0.1", 6443}, clock);
    EXPECT_TRUE(made) << made.error().message;
  }

  net::Reply handle(const std::string& method, const std::string& target, std::string body) {
    net::HttpRequest request{method, target, {}, std::move(body)};
    request.headers.add("Authorization", "Bearer admin-token");
    request.headers.add("Content-Type",
                        method == "PATCH" ? "application/merge-patch+json" : "application/json");
    return handler.handle(request);
  }

  std::unique_ptr<Store> store;
  std::unique_ptr<ServiceAllocator> allocator;
  ObjectRegistry registry;
  ApiHandler handler;
};

struct Request {
  std::string method;
  std::string name;
  std::string content;  // afterwards
};

struct Answers {
  int acknowledged = 0;
  int refused = 0;
  int read = 0;
};

// Clients of one server until its power is cut.
class ClientsOfAFailingDisk {
 public:
  ClientsOfAFailingDisk(std::string path, std::uint64_t seed)
      : path_(std::move(path)), random_(seed), disk_(seed) {}

  void run() {
    for (int start = 0; start < 3 && !::testing::Test::HasFatalFailure(); ++start) {
      SCOPED_TRACE("start " + std::to_string(start));
      live();
    }
    if (!::testing::Test::HasFatalFailure()) begin();
  }
  const Answers& answers() const { return answers_; }

 private:
  struct Waiting {
    Request request;
    net::Reply reply;
  };

  // On a disk that is sound until the server is there.
  void begin() {
    disk_.fail_one_in(0);
    stopped_ = false;
    auto store = Store::open({.path = path_, .log_pages = 20});
    ASSERT_TRUE(store) << store.error().message;
    server_ = std::make_unique<ServerOnDisk>(std::move(*store), clock_);
    for (auto& [name, possible] : possible_) {
      const std::string found = content_of(*server_->store, name);
      ASSERT_TRUE(possible.contains(found))
          << name << " is " << found.substr(0, 20) << ", and should be one of " << possible.size()
          << ", as " << possible.begin()->substr(0, 20);
      possible = {found};
    }
  }

  void live() {
    begin();
    if (::testing::Test::HasFatalFailure()) return;
    disk_.fail_one_in(10 + random_.below(300));
    for (std::uint64_t i = 20 + random_.below(60); i > 0; --i) {
      send();
      if (random_.below(4) == 0) settle(random_.below(1 + waiting_.size()));
      if (::testing::Test::HasFatalFailure()) return;
    }
    end();
  }

  // The server is killed, or the machine loses its power.
  void end() {
    disk_.cut_power();
    settle(waiting_.size());
    server_.reset();
    if (random_.below(2) == 0) disk_.lose_unsynced();
  }

  void send() {
    Request request = draw();
    std::string target = kCollection;
    if (request.method != "POST") target += "/" + request.name;
    std::string body;
    if (request.method != "GET" && request.method != "DELETE")
      body = R"({"metadata":{"name":")" + request.name + R"("},"data":{"text":")" +
             request.content + "\"}}";
    net::Reply reply = server_->handle(request.method, target, std::move(body));
    waiting_.push_back({std::move(request), std::move(reply)});
  }

  // One that fits the objects that there are, as this client knows from earlier answers.
  Request draw() {
    const std::string name = "m" + std::to_string(random_.below(5));
    const std::string present = content_of(*server_->store, name);
    const std::string text = std::to_string(++texts_) + std::string(random_.below(9000), 'x');
    if (random_.below(4) == 0) return {"GET", name, present};
    if (present == kAbsent) return {"POST", name, text};
    switch (random_.below(3)) {
      case 0:
        return {"PUT", name, text};
      case 1:
        return {"PATCH", name, text};
      default:
        return {"DELETE", name, kAbsent};
    }
  }

  // The oldest replies come to their end; those of a server keep their order.
  void settle(std::size_t count) {
    for (; count > 0 && !::testing::Test::HasFatalFailure(); --count) {
      Waiting next = std::move(waiting_.front());
      waiting_.pop_front();
      const bool waits = next.reply.ready != nullptr;
      ASSERT_TRUE(!waits || testing::eventually(next.reply.ready));
      if (next.reply.settle) next.reply.settle(next.reply);
      judge(next.request, next.reply.response, waits);
    }
  }

  // `waited`: what it asked for was done in memory at least.
  void judge(const Request& request, const net::HttpResponse& response, bool waited) {
    SCOPED_TRACE(request.method + " " + request.name + ": " + std::to_string(response.status) +
                 " " + response.body.substr(0, 300));
    std::set<std::string>& possible = possible_[request.name];
    if (possible.empty()) possible = {kAbsent};
    if (request.method == "GET" && (response.status == 200 || response.status == 404)) {
      ++answers_.read;
      // One that came after the failure was told what there was before it.
      ASSERT_TRUE(stopped_ || possible == std::set<std::string>{request.content});
    } else if (response.status == 200 || response.status == 201) {
      ASSERT_FALSE(stopped_) << "it was acknowledged after an earlier one was refused";
      ++answers_.acknowledged;
      possible = {request.content};
    } else if (response.status == 429) {
      ASSERT_TRUE(response.headers.find("Retry-After"));
    } else {
      ASSERT_EQ(response.status, 500);
      ASSERT_NE(response.body.find("the store has stopped writing: "), std::string::npos);
      ++answers_.refused;
      stopped_ = true;
      if (waited && request.method != "GET") possible.insert(request.content);
    }
  }

  std::string path_;
  SplitMix random_;
  test::FailingDisk disk_;  // outlives the server, which writes until it ends
  testing::FakeClock clock_;
  std::unique_ptr<ServerOnDisk> server_;
  std::deque<Waiting> waiting_;
  std::map<std::string, std::set<std::string>> possible_;  // contents after a power loss, by name
  bool stopped_ = false;
  int texts_ = 0;
  Answers answers_;
};

TEST(AcknowledgementTest, LosesNoAcknowledgedWriteOnADiskThatFails) {
  const testing::TempFolder folder;
  const std::uint64_t seed = test::seed_of_this_run();
  const int lives = test::times("PROXIMA_FAULTY_DISKS", 15);
  Answers all;
  for (int i = 0; i < lives; ++i) {
    SCOPED_TRACE("life " + std::to_string(i));
    const std::string own = folder.path() + "/" + std::to_string(i);
    std::filesystem::create_directory(own);
    ClientsOfAFailingDisk clients(own + "/proxima.db", seed + static_cast<std::uint64_t>(i));
    clients.run();
    if (HasFatalFailure()) return;
    std::filesystem::remove_all(own);
    all.acknowledged += clients.answers().acknowledged;
    all.refused += clients.answers().refused;
    all.read += clients.answers().read;
  }
  std::printf("%d lives: %d writes acknowledged, %d requests refused, %d reads\n", lives,
              all.acknowledged, all.refused, all.read);
  EXPECT_GT(all.acknowledged, lives);
  EXPECT_GT(all.refused, lives);
}

}  // namespace
}  // namespace proxima::apiserver
