// SPDX-License-Identifier: Apache-2.0
// What the condition Honored of a Service should say, and when that is worth a write: every node of
// the cluster reads each write of a Service. Safe for concurrent use.
#pragma once

#include <map>
#include <mutex>
#include <string>

#include "controller/follow_book.h"
#include "core/plan/conditions.h"
#include "kube/service_record.h"

namespace proxima::controller {

// Between two writes of one Service's condition.
inline constexpr std::chrono::seconds kHonoredSpacing{30};
// A measured share is written again when it differs by more from what is written.
inline constexpr double kHonoredShareStep = 0.05;

class HonoredConditions {
 public:
  using Time = Clock::SteadyTime;

  // The book must outlive it.
  explicit HonoredConditions(const FollowBook& book) : book_(book) {}

  // What a condition is about; seconds and numbers of plans do not count.
  struct Content {
    plan::PlanFollowing::Lag lag{};
    bool reports = false;  // some node does
    std::string node;
    std::uint32_t following = 0;
    bool measured = false;
    double share = 0;
  };
  struct Proposal {
    // What the status should say: as it does, where nothing else is worth a write yet.
    plan::ServiceCondition condition;
    bool is_news = false;  // it says something else now
    Content content;       // of news
  };
  // `planned_local_share`: of the plan that is published.
  Proposal propose(const std::string& service, const kube::ServiceRecord& record,
                   double planned_local_share, Time now);

  // The status says so now.
  void wrote(const std::string& service, const Proposal& proposal, Time now);
  void forget(const std::string& service);
  // Another leader writes from now on.
  void clear();

 private:
  struct Written {
    Time at;
    Content content;
  };
  static Content content_of(const plan::PlanFollowing& following);
  static bool differs(const Content& written, const Content& wanted);
  bool is_worth_a_write(const std::string& service, const kube::ConditionRecord& present,
                        const Proposal& wanted, Time now);

  const FollowBook& book_;
  std::mutex mutex_;
  std::map<std::string, Written, std::less<>> written_;
};

}  // namespace proxima::controller
