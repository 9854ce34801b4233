// SPDX-License-Identifier: Apache-2.0
// The state machine alone, and then many of them together in a made-up world: clocks that differ,
// requests that are slow, lost, or done without an answer, processes that stall, crash and stop.
#include "kube/election.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <map>
#include <random>

namespace proxima::kube {
namespace {

using namespace std::chrono_literals;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;
using ElectionKind = ElectionStep::Kind;
using Wrote = Election::Wrote;

Moment at(double second) {
  const auto since = std::chrono::duration_cast<nanoseconds>(std::chrono::duration<double>(second));
  return {Clock::SteadyTime(since), Clock::WallTime(since)};
}

Election candidate(const char* identity) { return Election({.identity = identity}, 1); }

TEST(Election, CreatesALeaseThatIsNotThere) {
  Election election = candidate("me");
  EXPECT_EQ(election.next(at(100)).kind, ElectionKind::Read);
  const ElectionStep create = election.read_done(std::optional<LeaseRecord>(), at(100));
  EXPECT_EQ(create.kind, ElectionKind::Create);
  EXPECT_EQ(create.record, (LeaseRecord{"me", 15, "1970-01-01T00:01:40.000000Z",
                                        "1970-01-01T00:01:40.000000Z", 0}));
  const ElectionStep wait = election.write_done(Wrote::Yes, at(100).steady, at(101));
  EXPECT_EQ(wait.kind, ElectionKind::Wait);
  EXPECT_EQ(wait.wait, seconds(2));
  EXPECT_EQ(election.leading_until(), at(110).steady);  // from when it was sent
}

TEST(Election, AFollowerCountsFromWhenItSawAChange) {
  Election election = candidate("me");
  LeaseRecord other{"other", 15, "long ago", "long ago", 3};
  (void)election.next(at(100));
  EXPECT_EQ(election.read_done(std::optional(other), at(100)).kind, ElectionKind::Wait);
  EXPECT_EQ(election.read_done(std::optional(other), at(114.9)).kind, ElectionKind::Wait);
  other.renew_time = "still long ago";  // it lives: what its clock says does not matter
  EXPECT_EQ(election.read_done(std::optional(other), at(114.9)).kind, ElectionKind::Wait);
  EXPECT_EQ(election.read_done(std::optional(other), at(129.8)).kind, ElectionKind::Wait);
  const ElectionStep take = election.read_done(std::optional(other), at(129.9));
  EXPECT_EQ(take.kind, ElectionKind::Update);
  EXPECT_EQ(take.record.holder, "me");
  EXPECT_EQ(take.record.transitions, 4);
}

TEST(Election, TransitionsAreCountedUpToTheirBound) {
  Election election = candidate("me");
  const LeaseRecord worn{"", 1, "t", "t", 2'147'483'647};
  (void)election.next(at(100));
  EXPECT_EQ(election.read_done(std::optional(worn), at(100)).record.transitions, 2'147'483'647);
}

TEST(Lease, NumbersAreWithinTheirBounds) {
  const struct {
    const char* name;
    const char* spec;
    std::int64_t seconds;
    std::int64_t transitions;
  } rows[] = {
      {"usual ones", R"({"leaseDurationSeconds":15,"leaseTransitions":4})", 15, 4},
      {"nothing", "{}", 0, 0},
      {"the largest number of transitions", R"({"leaseTransitions":2147483647})", 0, 2147483647},
      {"one more", R"({"leaseTransitions":2147483648})", 0, 0},
      {"the largest number that JSON can say",
       R"({"leaseDurationSeconds":9223372036854775807,"leaseTransitions":9223372036854775807})",
       31'536'000, 0},
      {"negative ones", R"({"leaseDurationSeconds":-1,"leaseTransitions":-1})", 0, 0},
  };
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    const auto lease = parse_lease(R"({"spec":)" + std::string(row.spec) + "}");
    ASSERT_TRUE(lease);
    EXPECT_EQ(lease->duration_seconds, row.seconds);
    EXPECT_EQ(lease->transitions, row.transitions);
  }
}

TEST(Election, ALeaseThatWasGivenBackIsTakenAtOnce) {
  Election election = candidate("me");
  const LeaseRecord released{"", 1, "t", "t", 3};
  (void)election.next(at(100));
  EXPECT_EQ(election.read_done(std::optional(released), at(100)).record.transitions, 4);
}

TEST(Election, ALeaderRenewsWithoutReadingAndKeepsItsAcquireTime) {
  Election election = candidate("me");
  (void)election.next(at(100));
  (void)election.read_done(std::optional<LeaseRecord>(), at(100));
  (void)election.write_done(Wrote::Yes, at(100).steady, at(100));
  const ElectionStep renew = election.next(at(102));
  EXPECT_EQ(renew.kind, ElectionKind::Update);
  EXPECT_EQ(renew.record.acquire_time, "1970-01-01T00:01:40.000000Z");
  EXPECT_EQ(renew.record.renew_time, "1970-01-01T00:01:42.000000Z");
  // A renewal that failed is looked at more closely, and does not count.
  EXPECT_EQ(election.write_done(Wrote::No, at(102).steady, at(102)).kind, ElectionKind::Read);
  EXPECT_EQ(election.leading_until(), at(110).steady);
}

TEST(Election, ALeaderThatCannotRenewStopsAtTheDeadline) {
  Election election = candidate("me");
  (void)election.next(at(100));
  (void)election.read_done(std::optional<LeaseRecord>(), at(100));
  (void)election.write_done(Wrote::Yes, at(100).steady, at(100));
  const Error down{ErrorCode::Retry, "down"};
  (void)election.next(at(109));
  EXPECT_EQ(election.read_done(down, at(109.5)).wait, milliseconds(500));
  (void)election.next(at(110));
  EXPECT_EQ(election.leading_until(), std::nullopt);
}

TEST(Election, AnAnswerThatComesTooLateIsNoLeadership) {
  Election election = candidate("me");
  (void)election.next(at(100));
  (void)election.read_done(std::optional<LeaseRecord>(), at(100));
  (void)election.write_done(Wrote::Yes, at(100).steady, at(110));
  EXPECT_EQ(election.leading_until(), std::nullopt);
}

TEST(Election, ALeaderBelievesARecordThatNamesAnother) {
  Election election = candidate("me");
  (void)election.next(at(100));
  (void)election.read_done(std::optional<LeaseRecord>(), at(100));
  (void)election.write_done(Wrote::Yes, at(100).steady, at(100));
  (void)election.next(at(102));
  (void)election.write_done(Wrote::No, at(102).steady, at(102));
  (void)election.read_done(std::optional(LeaseRecord{"other", 15, "", "", 1}), at(102));
  EXPECT_EQ(election.leading_until(), std::nullopt);
  EXPECT_EQ(election.leader(), "other");
}

TEST(Election, RefusesTimingsThatAreNotSafe) {
  struct Row {
    const char* name;
    milliseconds lease;
    milliseconds deadline;
    milliseconds retry;
    const char* refusal;  // "": none
  };
  const Row rows[] = {
      {"the usual ones", 15s, 10s, 2s, ""},
      {"fractions, as upstream takes them", 3500ms, 1500ms, 250ms, ""},
      {"no longer than the deadline", 10s, 10s, 2s,
       "leaseDuration must be greater than renewDeadline"},
      {"longer by what a Lease does not hold", 10500ms, 10s, 2s,
       "leaseDuration, written in whole seconds, must be greater than renewDeadline"},
      {"shorter than a Lease can say", 900ms, 500ms, 100ms,
       "leaseDuration, written in whole seconds, must be greater than renewDeadline"},
      {"one try and no more", 15s, 2400ms, 2s,
       "renewDeadline must be greater than retryPeriod*JitterFactor"},
      {"tries without a pause", 15s, 10s, 0s, "retryPeriod must be greater than zero"},
  };
  for (const Row& row : rows) {
    const Status status = check({.identity = "a",
                                 .lease_duration = row.lease,
                                 .renew_deadline = row.deadline,
                                 .retry_period = row.retry});
    EXPECT_EQ(status ? "" : status.error().message, row.refusal) << row.name;
  }
  EXPECT_FALSE(check({})) << "nobody's";
}

TEST(Election, WritesTheLeaseWithoutItsFraction) {
  Election election(
      {.identity = "a", .lease_duration = 3500ms, .renew_deadline = 1500ms, .retry_period = 250ms},
      1);
  (void)election.next(at(100));
  const ElectionStep step = election.read_done(std::optional<LeaseRecord>(), at(100));
  EXPECT_EQ(step.record.duration_seconds, 3);
}

// ---- many candidates ----

// The true time, which no candidate knows.
using TrueTime = nanoseconds;

class Simulation {
 public:
  explicit Simulation(std::uint64_t seed) : random_(seed) {
    const std::size_t count = 2 + random_.below(4);
    for (std::size_t i = 0; i < count; ++i) {
      candidates_.push_back({});
      Candidate& candidate = candidates_.back();
      candidate.rate = 0.9 + 0.2 * random_.unit();
      candidate.offset = seconds(random_.below(100'000));
      start(i);
    }
    for (std::size_t i = 0; i < 2 * count; ++i) later(chaos_time(), [this] { disturb(); });
  }

  // Empty: all went well. Chaos for two minutes, then a minute of calm.
  std::string run() {
    while (!events_.empty() && events_.begin()->first.first < kEnd && problem_.empty()) {
      const auto event = events_.begin();
      now_ = event->first.first;
      const auto action = std::move(event->second);
      events_.erase(event);
      action();
      check_guards();
    }
    now_ = kEnd;
    if (problem_.empty() && leaders() != 1)
      problem_ = std::to_string(leaders()) + " leaders after a minute of calm";
    return problem_;
  }

 private:
  static constexpr TrueTime kCalm = seconds(120);
  static constexpr TrueTime kEnd = kCalm + seconds(60);

  struct Candidate {
    std::optional<Election> election;
    std::string identity;
    double rate = 1;         // of its clock
    nanoseconds offset{};    // of its clock
    std::uint64_t life = 0;  // events of an earlier life are nobody's
    std::uint64_t seen_version = 0;
    std::optional<Clock::SteadyTime> guard;
    TrueTime stalled_until{};
    TrueTime cut_off_until{};
  };
  struct Answer {
    bool good = false;
    std::optional<LeaseRecord> record;
    std::uint64_t version = 0;
  };

  Moment clock(const Candidate& candidate) const {
    const auto local = std::chrono::duration_cast<nanoseconds>(now_ * candidate.rate);
    return {Clock::SteadyTime(candidate.offset + local), Clock::WallTime(local * 7)};
  }
  bool calm() const { return now_ >= kCalm; }
  TrueTime chaos_time() { return TrueTime(random_.below(kCalm.count())); }
  void later(TrueTime when, std::function<void()> action) {
    events_.emplace(std::pair(when, sequence_++), std::move(action));
  }
  // Something that happens to this life of a candidate, once it does not stall.
  void wake(std::size_t index, TrueTime when, std::function<void()> action) {
    const std::uint64_t life = candidates_[index].life;
    later(when, [this, index, life, action = std::move(action)] {
      Candidate& candidate = candidates_[index];
      if (candidate.life != life) return;
      if (candidate.stalled_until > now_) return wake(index, candidate.stalled_until, action);
      action();
    });
  }

  void start(std::size_t index) {
    Candidate& candidate = candidates_[index];
    ++candidate.life;
    candidate.identity = "c" + std::to_string(index) + "." + std::to_string(candidate.life);
    candidate.election.emplace(ElectionOptions{.identity = candidate.identity}, random_.next());
    candidate.guard.reset();
    wake(index, now_ + nanoseconds(random_.below(3'000'000'000)), [this, index] {
      Candidate& me = candidates_[index];
      perform(index, me.election->next(clock(me)));
    });
  }

  void disturb() {
    if (calm()) return;
    const std::size_t index = random_.below(candidates_.size());
    Candidate& candidate = candidates_[index];
    const TrueTime until = now_ + TrueTime(random_.below(30'000'000'000));
    switch (random_.below(5)) {
      case 0:
        candidate.stalled_until = std::min(until, kCalm);
        break;
      case 1:
        candidate.cut_off_until = std::min(until, kCalm);
        break;
      case 2:
        server_down_until_ = std::min(until, kCalm);
        break;
      case 3:
        start(index);
        break;  // a crash
      case 4:
        stop(index);
        break;
    }
  }

  // A graceful end: the guard first, then the Lease.
  void stop(std::size_t index) {
    Candidate& candidate = candidates_[index];
    if (candidate.stalled_until > now_) return;
    candidate.guard.reset();
    candidate.election->stop_leading();
    ++candidate.life;
    request(
        index,
        [this] {
          return Answer{true, record_, version_};
        },
        [this, index](Answer read) {
          Candidate& me = candidates_[index];
          if (!read.good || !read.record || read.record->holder != me.identity) return start(index);
          const LeaseRecord released = me.election->released(*read.record, clock(me));
          request(
              index, [this, read, released] { return put(read.version, released); },
              [this, index](Answer) { start(index); });
        });
  }

  void perform(std::size_t index, const ElectionStep& step) {
    Candidate& candidate = candidates_[index];
    candidate.guard = candidate.election->leading_until();
    if (step.kind == ElectionKind::Wait) {
      const auto wait = std::chrono::duration_cast<nanoseconds>(step.wait / candidate.rate);
      return wake(index, now_ + wait + nanoseconds(1), [this, index] {
        Candidate& me = candidates_[index];
        perform(index, me.election->next(clock(me)));
      });
    }
    if (step.kind == ElectionKind::Read) {
      return request(
          index,
          [this] {
            return Answer{true, record_, version_};
          },
          [this, index](const Answer& answer) { read_done(index, answer); });
    }
    const Clock::SteadyTime sent = clock(candidate).steady;
    const std::uint64_t base = step.kind == ElectionKind::Create ? 0 : candidate.seen_version;
    request(
        index, [this, base, record = step.record] { return put(base, record); },
        [this, index, sent](const Answer& answer) {
          Candidate& me = candidates_[index];
          if (answer.good) me.seen_version = answer.version;
          perform(index,
                  me.election->write_done(answer.good ? Wrote::Yes : Wrote::No, sent, clock(me)));
        });
  }

  void read_done(std::size_t index, const Answer& answer) {
    Candidate& me = candidates_[index];
    using Reading = Result<std::optional<LeaseRecord>>;
    if (answer.good) me.seen_version = answer.version;
    const Reading reading =
        answer.good ? Reading(answer.record) : Reading(Error{ErrorCode::Retry, "lost"});
    perform(index, me.election->read_done(reading, clock(me)));
  }

  Answer put(std::uint64_t base, const LeaseRecord& record) {
    if (base != (record_ ? version_ : 0)) return {};
    record_ = record;
    return {true, record_, ++version_};
  }

  nanoseconds delay() {
    if (calm() || random_.below(10) > 0) return nanoseconds(random_.below(50'000'000));
    return nanoseconds(random_.below(20'000'000'000));  // may well be done after it was given up
  }
  bool lost(std::size_t index) {
    return !calm() && (candidates_[index].cut_off_until > now_ || random_.below(20) == 0);
  }

  // Sends something to the server; `done` is called once: with the answer, or when time is up.
  void request(std::size_t index, std::function<Answer()> serve, std::function<void(Answer)> done) {
    const auto open = std::make_shared<bool>(true);
    const auto finish = [open, done = std::move(done)](const Answer& answer) {
      if (std::exchange(*open, false)) done(answer);
    };
    const auto patience =
        std::chrono::duration_cast<nanoseconds>(nanoseconds(seconds(5)) / candidates_[index].rate);
    wake(index, now_ + patience, [finish] { finish({}); });
    if (lost(index)) return;
    const std::uint64_t life = candidates_[index].life;
    later(now_ + delay(), [this, index, life, serve = std::move(serve), finish] {
      const bool down = server_down_until_ > now_;
      const Answer answer = down ? Answer{} : serve();
      if (lost(index) || candidates_[index].life != life) return;
      wake(index, now_ + delay(), [finish, answer] { finish(answer); });
    });
  }

  std::size_t leaders() const {
    std::size_t count = 0;
    for (const Candidate& candidate : candidates_)
      if (candidate.guard && *candidate.guard > clock(candidate).steady) ++count;
    return count;
  }
  void check_guards() {
    if (leaders() > 1) problem_ = "two leaders at " + std::to_string(now_.count()) + " ns";
  }

  SplitMix random_;
  TrueTime now_{0};
  std::map<std::pair<TrueTime, std::uint64_t>, std::function<void()>> events_;
  std::uint64_t sequence_ = 0;
  std::vector<Candidate> candidates_;
  std::optional<LeaseRecord> record_;
  std::uint64_t version_ = 0;
  TrueTime server_down_until_{};
  std::string problem_;
};

TEST(ElectionSimulation, NeverTwoLeadersAndAlwaysOneInTheEnd) {
  const char* given = std::getenv("PROXIMA_SEED");
  const std::uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 10)
                                              : (std::uint64_t{std::random_device{}()} << 32U);
  for (std::uint64_t i = 0; i < 1000; ++i) {
    const std::string problem = Simulation(seed + i).run();
    ASSERT_EQ(problem, "") << "PROXIMA_SEED=" << seed + i;
  }
  RecordProperty("seed", std::to_string(seed));
  std::cout << "PROXIMA_SEED=" << seed << '\n';
}

}  // namespace
}  // namespace proxima::kube
