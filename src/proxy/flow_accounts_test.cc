// SPDX-License-Identifier: Apache-2.0
#include "proxy/flow_accounts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "base/split_mix.h"
#include "support/packet_world.h"

namespace proxima::proxy {
namespace {

using dataplane::ConntrackEntry;
using test::PacketWorld;

// A world with one service, and connections to it told in words, a step each:
//   "end 1 L 100/50"   connection 1 to L has ended, after 100 bytes and 50 back
//   "see 1 L 100/50"   a look sees it; "look(" and ")look" are around
//   "base(" ")base"    what was there before
// '!' after the bytes: never answered. '*': it is ending. A new number is a new connection; "1'" is
// a later one with the ports of 1.
class Told {
 public:
  explicit Told(FlowAccountsOptions options = {}) : accounts_(options) {
    world_.add_service("shop/web ip=$cluster port=http:80");
    world_.add_slice("shop/web port=http:8080 $L@here%a $R@there%b");
    accounts_.views().add({.tables = {world_.table()}, .node_zone = Text("a")}, {});
  }
  FlowAccounts& accounts() { return accounts_; }

  Told& tell(const std::string& steps) {
    std::istringstream stream(steps);
    for (std::string step; stream >> step;) take(step, stream);
    return *this;
  }
  // "a>a 1c 100/50, a>b 2c 10/0 1!".
  std::string totals() const {
    std::string text;
    for (const auto& [key, account] : accounts_.by_series()) {
      text += (text.empty() ? "" : ", ") + std::string(key.source_zone.view()) + ">" +
              std::string(key.target_zone.view()) + " " + figures(account.traffic);
    }
    return text;
  }
  FlowTraffic sum_of_series() const { return sum(accounts_.by_series()); }
  FlowTraffic sum_of_endpoints() const { return sum(accounts_.by_endpoint()); }

  ConntrackEntry entry(const std::string& name, const std::string& to, std::uint64_t sent,
                       std::uint64_t answered) const {
    const auto port = static_cast<std::uint16_t>(10'000 + std::stoi(name));
    return {.original = {.protocol = dataplane::kProtocolTcp,
                         .source = {world_.address("pod"), port},
                         .destination = {world_.address("cluster"), 80}},
            .reply = {.protocol = dataplane::kProtocolTcp,
                      .source = {world_.address(to), 8'080},
                      .destination = {world_.address("pod"), port}},
            .id = name.back() == '\'' ? 2U : 1U,
            .status = dataplane::kConntrackSeenReply,
            .sent = {.bytes = sent},
            .answered = {.bytes = answered}};
  }

 private:
  void take(const std::string& step, std::istringstream& stream) {
    if (step == "look(") return accounts_.begin_look();
    if (step == ")look") return accounts_.end_look();
    if (step == "base(") return accounts_.begin_baseline();
    if (step == ")base") return accounts_.end_baseline();
    std::string name;
    std::string to;
    std::string bytes;
    stream >> name >> to >> bytes;
    const std::size_t slash = bytes.find('/');
    ConntrackEntry told = entry(name, to, std::stoull(bytes), std::stoull(bytes.substr(slash + 1)));
    if (bytes.back() == '!') told.status = 0;
    if (bytes.back() == '*') told.status |= dataplane::kConntrackDying;
    step == "end" ? accounts_.ended(told) : accounts_.seen(told);
  }
  static std::string figures(const FlowTraffic& traffic) {
    return std::to_string(traffic.connections) + "c " + std::to_string(traffic.sent_bytes) + "/" +
           std::to_string(traffic.answered_bytes) +
           (traffic.unanswered == 0 ? "" : " " + std::to_string(traffic.unanswered) + "!");
  }
  template <class Map>
  static FlowTraffic sum(const Map& map) {
    FlowTraffic total;
    for (const auto& [key, account] : map) {
      total.connections += account.traffic.connections;
      total.unanswered += account.traffic.unanswered;
      total.sent_bytes += account.traffic.sent_bytes;
      total.answered_bytes += account.traffic.answered_bytes;
    }
    return total;
  }

  PacketWorld world_{IpFamily::V4};
  FlowAccounts accounts_;
};

TEST(FlowAccounts, CountEveryConnectionAndByteOnce) {
  const struct {
    const char* name;
    const char* steps;
    const char* totals;
  } cases[] = {
      {"nothing", "", ""},
      {"one that ends", "end 1 L 100/50", "a>a 1c 100/50"},
      {"several, by zone", "end 1 L 100/50 end 2 R 10/20 end 3 L 1/1",
       "a>a 2c 101/51, a>b 1c 10/20"},
      {"one that nobody answers", "end 1 R 60/0!", "a>b 1c 60/0 1!"},
      {"one that lasts shows before it ends", "look( see 1 L 100/50 )look", "a>a 1c 100/50"},
      {"and grows", "look( see 1 L 100/50 )look look( see 1 L 170/60 )look", "a>a 1c 170/60"},
      {"and ends", "look( see 1 L 100/50 )look end 1 L 300/90", "a>a 1c 300/90"},
      {"seen twice in one look", "look( see 1 L 100/50 see 1 L 100/50 )look", "a>a 1c 100/50"},
      {"seen while it ends", "end 1 L 100/50 look( see 1 L 100/50* )look", "a>a 1c 100/50"},
      {"missed by one look", "look( see 1 L 9/9 )look look( )look look( see 1 L 9/9 )look",
       "a>a 1c 9/9"},
      {"its end unheard", "look( see 1 L 9/9 )look look( )look look( )look", "a>a 1c 9/9"},
      {"another with its ports, after an end", "end 1 L 5/5 end 1' L 7/7", "a>a 2c 12/12"},
      {"another with its ports, its end unheard", "look( see 1 L 5/5 )look end 1' R 7/7",
       "a>a 1c 5/5, a>b 1c 7/7"},
      {"another with its ports, in a look", "look( see 1 L 5/5 )look look( see 1' L 1/1 )look",
       "a>a 2c 6/6"},
      {"the kernel's counters set to 0",
       "look( see 1 L 100/50 )look look( see 1 L 10/5 )look end 1 L 12/6", "a>a 1c 112/56"},
      {"what was there before is not counted", "base( look( see 1 L 100/50 )look )base",
       "a>a 0c 0/0"},
      {"but what comes after is",
       "base( look( see 1 L 100/50 )look )base look( see 1 L 130/50 )look end 1 L 150/51",
       "a>a 0c 50/1"},
      {"what ended before the beginning", "base( end 1 L 100/50 )base", ""},
      {"what began before and ends at the beginning",
       "base( look( see 1 L 100/50 )look end 1 L 103/50 )base", "a>a 0c 3/0"},
  };
  for (const auto& row : cases) {
    Told told;
    told.tell(row.steps);
    EXPECT_EQ(told.totals(), row.totals) << row.name;
    EXPECT_EQ(told.sum_of_series(), told.sum_of_endpoints()) << row.name;
  }
}

TEST(FlowAccounts, RememberOnlySoMany) {
  Told told({.remembered_most = 2});
  told.tell("look( see 1 L 1/1 see 2 L 1/1 see 3 L 1/1 )look");
  EXPECT_EQ(told.accounts().remembered(), 2U);
  EXPECT_EQ(told.totals(), "a>a 2c 2/2") << "the third is counted when it ends";
  told.tell("end 3 L 5/5 end 1 L 1/1");
  EXPECT_EQ(told.totals(), "a>a 3c 7/7");
  EXPECT_EQ(told.accounts().remembered(), 1U);
}

TEST(FlowAccounts, ForgetServicesThatAreLongGoneAndHaveNoConnection) {
  Told told;
  told.tell("look( see 1 L 1/1 )look end 2 R 1/1");
  FlowViews::Time now{};
  const PacketWorld empty(IpFamily::V4);
  for (int minute = 0; minute < 10; ++minute) {
    told.accounts().views().add({.tables = {empty.table()}}, now += std::chrono::minutes(1));
  }
  told.tell("look( see 1 L 2/2 )look");
  EXPECT_EQ(told.totals(), "a>a 1c 2/2") << "the service is gone, its connection lives";
  told.tell("end 1 L 3/3 look( )look");
  EXPECT_EQ(told.totals(), "");
  EXPECT_TRUE(told.accounts().by_endpoint().empty());
}

// A kernel that tells the end of every connection, and looks at any time: whatever the order, the
// totals are what was sent.
TEST(FlowAccounts, AgreeWithWhatWasSentInAnyOrder) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SplitMix random(seed);
    Told told;
    std::map<int, std::pair<std::uint64_t, std::uint64_t>> alive;
    FlowTraffic sent;
    int next = 0;
    for (int step = 0; step < 400; ++step) {
      const std::uint64_t what = random.below(10);
      if (what < 4) {
        alive[next++] = {0, 0};
        ++sent.connections;
      } else if (what < 7 && !alive.empty()) {
        auto& [out, back] = std::next(alive.begin(), random.below(alive.size()))->second;
        const std::uint64_t more = random.below(1'000);
        out += more;
        back += 2 * more;
        sent.sent_bytes += more;
        sent.answered_bytes += 2 * more;
      } else if (what < 9 && !alive.empty()) {
        const auto at = std::next(alive.begin(), random.below(alive.size()));
        told.accounts().ended(told.entry(std::to_string(at->first), at->first % 2 == 0 ? "L" : "R",
                                         at->second.first, at->second.second));
        alive.erase(at);
      } else {
        told.accounts().begin_look();
        for (const auto& [name, bytes] : alive) {
          told.accounts().seen(told.entry(std::to_string(name), name % 2 == 0 ? "L" : "R",
                                          bytes.first, bytes.second));
        }
        told.accounts().end_look();
      }
    }
    for (const auto& [name, bytes] : alive) {
      told.accounts().ended(
          told.entry(std::to_string(name), name % 2 == 0 ? "L" : "R", bytes.first, bytes.second));
    }
    EXPECT_EQ(told.sum_of_series(), sent) << "seed " << seed;
    EXPECT_EQ(told.sum_of_endpoints(), sent) << "seed " << seed;
    EXPECT_EQ(told.accounts().remembered(), 0U) << "seed " << seed;
  }
}

}  // namespace
}  // namespace proxima::proxy
