// SPDX-License-Identifier: Apache-2.0
// Whatever a server does: in the end the cache is what the server has, what listeners were told
// makes the same, and nobody was told anything twice or out of order.
//
//   PROXIMA_FAULT_SCHEDULES=1000 PROXIMA_SEED=7 faults_test
#include <gtest/gtest.h>

#include <condition_variable>
#include <cstdlib>
#include <set>
#include <thread>

#include "kube/credentials.h"
#include "kube/http_api.h"
#include "kube/reflector.h"
#include "net/http_client.h"
#include "support/fake_clock.h"
#include "system/client_faults/faulty_server.h"

namespace proxima::faults {
namespace {

using kube::PodRecord;
using std::chrono::milliseconds;

// For a machine that is busy with other things.
constexpr std::chrono::seconds kPatience{120};

std::uint64_t setting(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

// Rebuilds the cache from what it is told, and judges every word of it.
class Story {
 public:
  void tell(const kube::Change<PodRecord>& change) {
    const std::lock_guard guard(mutex_);
    const std::string key = to_text(change.key());
    const auto held = versions_.find(key);
    EXPECT_EQ(held != versions_.end(), static_cast<bool>(change.before)) << key;
    if (change.before && held != versions_.end()) {
      EXPECT_EQ(held->second, change.before->version) << key;
    }
    if (change.now) {
      EXPECT_GT(change.now->version, newest_[key]) << key << ": told again, or out of order";
      newest_[key] = versions_[key] = change.now->version;
      told_.emplace(key, change.now->version);
    } else {
      versions_.erase(key);
    }
    changed_.notify_all();
  }

  // False: it did not become that in time.
  bool becomes(const std::map<std::string, Version>& wanted) {
    std::unique_lock lock(mutex_);
    return changed_.wait_for(lock, kPatience, [&] { return versions_ == wanted; });
  }
  std::map<std::string, Version> versions() const {
    const std::lock_guard guard(mutex_);
    return versions_;
  }
  std::set<std::pair<std::string, Version>> told() const {
    const std::lock_guard guard(mutex_);
    return told_;
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::string, Version> versions_;
  std::map<std::string, Version> newest_;
  std::set<std::pair<std::string, Version>> told_;
};

std::map<std::string, Version> versions_of(const Pods& pods) {
  std::map<std::string, Version> versions;
  for (const auto& [key, pod] : pods) versions[key] = pod.version;
  return versions;
}

std::map<std::string, Version> versions_of(const kube::CacheSnapshot<PodRecord>& snapshot) {
  std::map<std::string, Version> versions;
  snapshot.each([&](const auto& pod) { versions[to_text(pod->key())] = pod->version; });
  return versions;
}

class NoCredentials final : public kube::CredentialSource {
 public:
  Result<kube::Credentials> current(const net::Cancellation&) override {
    return kube::Credentials{};
  }
  void refuse(const kube::Credentials&) override {}
};

kube::HttpApi api_of(const FaultyServer& server, Clock& clock, milliseconds patience) {
  kube::Connection connection;
  connection.cluster.server = "http://127.0.0.1:" + std::to_string(server.port());
  kube::HttpApiOptions options;
  options.max_retries = 1;
  options.deadlines = {milliseconds(10'000), patience, patience};
  return kube::HttpApi(connection, std::make_unique<NoCredentials>(), options, clock,
                       net::HttpClient::create);
}

// Gives up on a server that may hang after moments, so that a schedule does not take minutes, and
// is patient with a good one, so that a busy machine does not make it a bad one.
class ImpatientApi final : public kube::KubeApi {
 public:
  ImpatientApi(const FaultyServer& server, Clock& clock)
      : server_(server),
        quick_(api_of(server, clock, kQuick)),
        patient_(api_of(server, clock, kPatience)) {}

  Result<kube::ApiResponse> send(const kube::ApiRequest& request,
                                 const net::Cancellation& cancellation) override {
    return quick_.send(request, cancellation);
  }
  Result<std::unique_ptr<net::HttpStream>> open(const kube::ApiRequest& request, milliseconds,
                                                const net::Cancellation& cancellation) override {
    return server_.is_calm() ? patient_.open(request, kPatience, cancellation)
                             : quick_.open(request, kQuick, cancellation);
  }

 private:
  static constexpr milliseconds kQuick{60};

  const FaultyServer& server_;
  kube::HttpApi quick_;
  kube::HttpApi patient_;
};

kube::ReflectorOptions reflector_options(std::uint64_t seed) {
  kube::ReflectorOptions options;
  options.plan.seed = seed;
  options.plan.list_from = seed % 3 == 0 ? kube::ListFrom::Storage : kube::ListFrom::Cache;
  options.limits.max_object_bytes = 50'000;
  return options;
}

std::map<std::string, int> play_schedule(std::uint64_t seed) {
  FaultyServer server(seed);
  // Waiting takes no time, so that back-off and Retry-After cost nothing here.
  testing::FakeClock clock;
  ImpatientApi api(server, clock);
  kube::Cache<PodRecord> cache;
  Story story;
  cache.subscribe([&](const kube::Change<PodRecord>& change) { story.tell(change); });
  net::Cancellation cancellation;
  std::thread client([&] {
    kube::Reflector<PodRecord>(api, clock, kube::kPods, cache, reflector_options(seed))
        .run(cancellation);
  });
  EXPECT_TRUE(server.wait_until_calm(kPatience));
  const auto wanted = versions_of(server.pods());
  EXPECT_TRUE(story.becomes(wanted)) << ::testing::PrintToString(story.versions()) << " instead of "
                                     << ::testing::PrintToString(wanted);
  cancellation.cancel();
  client.join();
  EXPECT_EQ(versions_of(cache.snapshot()), wanted);
  EXPECT_EQ(story.versions(), wanted);
  std::set<std::pair<std::string, Version>> real;
  for (const HistoryEvent& event : server.events()) real.emplace(event.key, event.version);
  for (const auto& word : story.told()) EXPECT_TRUE(real.contains(word)) << word.first;
  return server.deeds();
}

TEST(Faults, TheCacheEndsEqualToTheServerAfterEverySchedule) {
  const std::uint64_t schedules = setting("PROXIMA_FAULT_SCHEDULES", 40);
  const std::uint64_t seed = setting("PROXIMA_SEED", 1);
  std::printf("PROXIMA_SEED=%zu PROXIMA_FAULT_SCHEDULES=%zu\n", std::size_t{seed},
              std::size_t{schedules});
  std::map<std::string, int> deeds;
  for (std::uint64_t i = 0; i < schedules && !HasFailure(); ++i) {
    SCOPED_TRACE("PROXIMA_SEED=" + std::to_string(seed + i) + " PROXIMA_FAULT_SCHEDULES=1");
    for (const auto& [name, count] : play_schedule(seed + i)) deeds[name] += count;
  }
  for (const auto& [name, count] : deeds) std::printf("%8d %s\n", count, name.c_str());
}

}  // namespace
}  // namespace proxima::faults
