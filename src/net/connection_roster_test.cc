// SPDX-License-Identifier: Apache-2.0
#include "net/connection_roster.h"

#include <gtest/gtest.h>

#include <sstream>

namespace proxima::net {
namespace {

constexpr ConnectionRoster::Limits kFourSlots = {
    .slots = 4, .slots_per_address = 2, .stranger_slots = 4};

// What happened so far, a word each: "1@a" connection 1 comes from address a, "1+" a request of it
// is admitted, "1+x" one of holder x, "1>" it is being answered, "1=" it becomes idle, "1?" it
// stays a stranger, "1-" it leaves.
ConnectionRoster roster_after(const std::string& story,
                              const ConnectionRoster::Limits& limits = kFourSlots) {
  ConnectionRoster roster(limits);
  std::istringstream words(story);
  for (std::string word; words >> word;) {
    const ConnectionRoster::Id id = std::stoull(word);
    switch (word.at(1)) {
      case '@':
        roster.add(id, word.substr(2));
        break;
      case '+':
        roster.begin_request(id, word.substr(2));
        break;
      case '>':
        roster.set_standing(id, Standing::Answering);
        break;
      case '=':
        roster.set_standing(id, Standing::Idle);
        break;
      case '?':
        roster.set_standing(id, Standing::Stranger);
        break;
      default:
        roster.remove(id);
    }
  }
  return roster;
}

std::string verdict(const ConnectionRoster::Room& room) {
  if (!room.available) return "full";
  return room.victim ? "close " + std::to_string(*room.victim) : "free";
}

struct RoomRow {
  const char* name;
  const char* story;
  const char* source;  // of the newcomer
  const char* wanted;
};

// Four slots, two for an address.
TEST(ConnectionRoster, SaysWhoLeavesForANewcomer) {
  const RoomRow rows[] = {
      {"nobody, while there are slots", "1@a 2@b 3@c", "d", "free"},
      {"the oldest, when all are taken", "1@a 2@b 3@c 4@d", "e", "close 1"},
      {"a stranger before one who is known", "1@a 1+ 1= 2@b 3@c 4@d", "e", "close 2"},
      {"the known one that is idle longest, when there is no stranger",
       "1@a 1+ 2@b 2+ 3@c 3+ 4@d 4+ 3= 1= 2= 4=", "e", "close 3"},
      {"never one with a request under way", "1@a 1+ 2@b 2+ 3@c 3+ 4@d 4+", "e", "full"},
      {"nor one that is being answered", "1@a 1+ 1> 2@b 2+ 3@c 3+ 3> 4@d 4+", "e", "full"},
      {"one that is busy again is out of danger", "1@a 1+ 1= 1+ 2@b 2+ 3@c 3+ 4@d 4+ 4=", "e",
       "close 4"},
      {"a stranger stays as old as it is, whatever it sends", "1@a 2@b 3@c 4@d 1? 1?", "e",
       "close 1"},
      {"slots that became free count", "1@a 2@b 3@c 4@d 2-", "e", "free"},
      {"an address that has its share loses its own", "1@a 2@b 3@b", "b", "close 2"},
      {"also when others are older strangers", "1@a 2@c 3@b 4@b", "b", "close 3"},
      {"and none of the others when its own are busy", "1@a 2@b 2+ 3@b 3+", "b", "full"},
      {"its share is free again after it left", "1@a 2@b 3@b 3-", "b", "free"},
  };
  for (const RoomRow& row : rows) {
    EXPECT_EQ(verdict(roster_after(row.story).room_for(row.source)), row.wanted) << row.name;
  }
}

// Eight slots, four for an address, three for strangers.
TEST(ConnectionRoster, HasFewerSlotsForStrangers) {
  const RoomRow rows[] = {
      {"as many as may be", "1@a 2@b", "c", "free"},
      {"one too many takes the place of the oldest", "1@a 2@b 3@c", "d", "close 1"},
      {"those who are known do not count", "1@a 1+ 2@b 2+ 2= 3@c 4@d", "e", "free"},
      {"and do not leave", "1@a 1+ 1= 2@b 3@c 4@d", "e", "close 2"},
      {"also when they become known later", "1@a 2@b 3@c 1+", "d", "free"},
      {"an address that has its share loses its own first", "1@a 2@b 3@b 4@b 5@b 2+ 3+ 4+ 4=", "b",
       "close 5"},
  };
  for (const RoomRow& row : rows) {
    const ConnectionRoster roster =
        roster_after(row.story, {.slots = 8, .slots_per_address = 4, .stranger_slots = 3});
    EXPECT_EQ(verdict(roster.room_for(row.source)), row.wanted) << row.name;
  }
}

struct RequestRow {
  const char* name;
  std::string story;
  ConnectionRoster::Id id;  // whose request begins
  const char* holder;
  std::optional<ConnectionRoster::Id> wanted;  // who is closed for it
};

// Eight slots, four for an address: six with a request under way, three of an address.
TEST(ConnectionRoster, SaysWhoLeavesForARequest) {
  const std::string six = "1@a 1+x 1> 2@a 2+x 2> 3@b 3+x 3> 4@b 4+x 4> 5@c 5+x 5> 6@c 6+x 6> ";
  const std::string mixed = "1@a 1+y 1> 2@a 2+x 3@b 3+x 4@b 4+y 5@c 5+x 5> 6@c 6+x ";
  const std::string busy = "1@a 1+y 2@a 2+x 3@b 3+x 4@b 4+x 5@c 5+y 6@d 6+z ";
  const RequestRow rows[] = {
      {"nobody, while a quarter of the slots is left", "1@a 1+x 1> 2@a 2+x 2> 3@b", 3, "x", {}},
      {"the oldest answer of the holder", six + "7@d", 7, "x", 1},
      {"of the holder with the most, also for another", six + "7@d", 7, "y", 1},
      {"an answer before a request that is younger or older", mixed + "7@d", 7, "y", 5},
      {"the oldest request, when nothing is being answered", busy + "7@d", 7, "x", 2},
      {"the oldest of all, when two have as many", busy + "7@d", 7, "y", 1},
      {"nobody, when one is idle again", six + "2= 7@d", 7, "x", {}},
      {"nobody, when one has left", six + "4- 7@d", 7, "x", {}},
      {"one of its address, when that has its share", "1@b 1+x 1> 2@a 2+x 2> 3@a 3+x 4@a 4+x 5@a",
       5, "x", 2},
      {"the holder with the most of that address", "1@a 1+y 1> 2@a 2+x 2> 3@a 3+x 3> 4@a", 4, "z",
       2},
      {"without a name, the address with the most",
       "1@a 1+ 1> 2@b 2+ 2> 3@b 3+ 3> 4@b 4+ 4> 5@c 5+ 5> 6@d 6+ 6> 7@e", 7, "", 2},
      {"a refusal is no request", "1@a 1+x 1= 1> 2@a 2+x 3@a 3+x 4@a", 4, "x", {}},
  };
  for (const RequestRow& row : rows) {
    ConnectionRoster roster =
        roster_after(row.story, {.slots = 8, .slots_per_address = 4, .stranger_slots = 8});
    EXPECT_EQ(roster.begin_request(row.id, row.holder), row.wanted) << row.name;
  }
}

TEST(ConnectionRoster, LeavesRoomForThoseWhoCome) {
  EXPECT_EQ(requests_max(1), 1U);
  EXPECT_EQ(requests_max(3), 3U);
  EXPECT_EQ(requests_max(4), 3U);
  EXPECT_EQ(requests_max(1024), 768U);
}

TEST(ConnectionRoster, ForgetsWhomItNeverAdded) {
  ConnectionRoster roster = roster_after("1@a");
  roster.set_standing(7, Standing::Idle);
  EXPECT_EQ(roster.begin_request(7, "x"), std::nullopt);
  roster.remove(7);
  EXPECT_EQ(roster.size(), 1U);
  roster.remove(1);
  EXPECT_EQ(roster.size(), 0U);
  EXPECT_EQ(roster.first_to_leave(), std::nullopt);
}

}  // namespace
}  // namespace proxima::net
