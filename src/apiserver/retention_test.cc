// SPDX-License-Identifier: Apache-2.0
#include "apiserver/retention.h"

#include <gtest/gtest.h>

#include <boost/json/parse.hpp>
#include <thread>

#include "support/fake_clock.h"

namespace proxima::apiserver {
namespace {

using std::chrono::hours;
using std::chrono::minutes;

class RetentionTest : public ::testing::Test {
 protected:
  RetentionTest() { create(Kind::Namespace, "", R"({"metadata":{"name":"shop"}})"); }

  void create(Kind kind, std::string_view ns, std::string_view json) {
    const auto written =
        registry_.create(resource_of(kind), ns, boost::json::parse(json).as_object(), {});
    ASSERT_TRUE(written);
    settle();
  }
  void create_event(const std::string& name) {
    create(Kind::Event, "shop",
           R"({"metadata":{"name":")" + name +
               R"("},"involvedObject":{"kind":"Service","namespace":"shop","name":"cart"}})");
  }
  void write_event_again(const std::string& name) {
    const ResourcePath path{&resource_of(Kind::Event), "shop", name};
    const auto counted = [](const boost::json::object* present) -> Outcome<boost::json::object> {
      boost::json::object object = *present;
      object["count"] = 2;
      return object;
    };
    ASSERT_TRUE(registry_.update(path, counted, {}));
    settle();
  }
  // What is not durable is never forgotten.
  void settle() {
    while (store_->durable() < store_->revision()) std::this_thread::yield();
  }
  std::string events() const {
    std::string names;
    store_->scan(Kind::Event, "shop", store_->revision(), {},
                 [&](const ObjectKey& key, const StoredObjectPtr&) {
                   names += (names.empty() ? "" : " ") + key.name;
                   return true;
                 });
    return names;
  }
  // As the server does when a request comes.
  static void after_request(Retention& retention) {
    if (!retention.is_due()) return;
    EXPECT_FALSE(retention.step(100));
  }

  testing::FakeClock clock_;
  std::unique_ptr<Store> store_ = Store::open({.path = ":memory:"}).value();
  std::unique_ptr<ServiceAllocator> allocator_ = ServiceAllocator::create({}).value();
  ObjectRegistry registry_{*store_, *allocator_, clock_, 1};
};

TEST_F(RetentionTest, RemembersChangesForTheirTimeAndNoLongerThanAFifthMore) {
  Retention retention(*store_, registry_, clock_, {.history = minutes(5), .events = hours(1)});
  for (int minute = 0; minute < 60; ++minute) {
    create_event("e" + std::to_string(minute));
    after_request(retention);
    clock_.advance(minutes(1));
  }
  const Revision now = store_->revision();
  EXPECT_EQ(now, 61);
  EXPECT_TRUE(store_->changes_after(now - 5, 10)) << "those of the last five minutes";
  EXPECT_FALSE(store_->changes_after(now - 7, 10)) << "older than six";
  EXPECT_EQ(store_->count(Kind::Event), 60) << "objects stay, whatever the history forgets";
}

TEST_F(RetentionTest, RemovesEventsThatNobodyHasWrittenForLong) {
  Retention retention(*store_, registry_, clock_, {.history = minutes(5), .events = hours(1)});
  create_event("early");
  create_event("repeated");
  clock_.advance(minutes(30));
  create_event("later");
  write_event_again("repeated");
  clock_.advance(minutes(29));
  after_request(retention);
  EXPECT_EQ(events(), "early later repeated");
  clock_.advance(minutes(1));
  after_request(retention);
  EXPECT_EQ(events(), "later repeated");
  clock_.advance(minutes(30));
  after_request(retention);
  EXPECT_EQ(events(), "");
}

TEST_F(RetentionTest, EventsOfAnEarlierServerHaveTheirTimeOnceMore) {
  create_event("old");
  clock_.advance(hours(2));
  Retention retention(*store_, registry_, clock_, {.history = minutes(5), .events = hours(1)});
  after_request(retention);
  EXPECT_EQ(events(), "old");
  clock_.advance(hours(1));
  after_request(retention);
  EXPECT_EQ(events(), "");
}

TEST_F(RetentionTest, RemovesAFewAtATime) {
  Retention retention(*store_, registry_, clock_, {.history = minutes(5), .events = hours(1)});
  for (int i = 0; i < 5; ++i) create_event("e" + std::to_string(i));
  clock_.advance(hours(1));
  EXPECT_TRUE(retention.step(2));
  EXPECT_EQ(events(), "e2 e3 e4");
  EXPECT_TRUE(retention.step(2));
  EXPECT_FALSE(retention.step(2));
  EXPECT_EQ(events(), "");
  EXPECT_FALSE(retention.step(2));
}

}  // namespace
}  // namespace proxima::apiserver
