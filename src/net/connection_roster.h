// SPDX-License-Identifier: Apache-2.0
// Who holds the slots of a listener, and who has to leave when they run out. Pure: it knows neither
// sockets nor clocks, only the order in which things happened.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <list>
#include <optional>
#include <string>
#include <unordered_map>

namespace proxima::net {

enum class Standing : std::uint8_t {
  Stranger,   // not authenticated
  Idle,       // authenticated, between two requests
  Busy,       // authenticated, with a request that is being read or answered
  Answering,  // authenticated, and its reply is being sent, as that of a watch is for hours
};

// How many of `slots` may have an authenticated request under way: three quarters. The rest is for
// those who come.
constexpr std::size_t requests_max(std::size_t slots) { return slots - slots / 4; }

class ConnectionRoster {
 public:
  using Id = std::uint64_t;

  struct Limits {
    std::size_t slots = 0;
    std::size_t slots_per_address = 0;
    std::size_t stranger_slots = 0;
  };
  explicit ConnectionRoster(const Limits& limits) : limits_(limits) {}

  // What a new connection from `source` needs.
  struct Room {
    bool available = true;     // at once, or after the victim has left
    std::optional<Id> victim;  // whom to close first; then ask again
  };
  Room room_for(const std::string& source) const;

  // A stranger at first.
  void add(Id id, const std::string& source);
  // An authenticated request of `holder` begins. Returns whom to close for that, never `id` itself:
  // when there are more requests under way than may be, the holder with the most of them loses the
  // one whose reply is being sent longest, or else the one that began first. "": nobody knows more
  // than the address.
  std::optional<Id> begin_request(Id id, const std::string& holder);
  // From now on the youngest of that standing. Strangers keep the place that they came with:
  // whatever they send, it does not make them younger. Only who is busy can be answering then.
  void set_standing(Id id, Standing standing);
  void remove(Id id);

  // Who would leave first, for when the process runs out of descriptors.
  std::optional<Id> first_to_leave() const { return all_.first_to_leave(); }
  std::size_t size() const { return members_.size(); }

 private:
  using Queue = std::list<Id>;
  // The oldest first.
  struct Queues {
    std::array<Queue, 4> by_standing;
    std::size_t size = 0;

    Queue& of(Standing standing) { return by_standing.at(static_cast<std::size_t>(standing)); }
    const Queue& of(Standing standing) const {
      return by_standing.at(static_cast<std::size_t>(standing));
    }
    std::optional<Id> first_to_leave() const;
    std::size_t requests() const {
      return of(Standing::Busy).size() + of(Standing::Answering).size();
    }
  };
  struct Member {
    std::string source;
    std::string holder = {};  // of its requests
    Standing standing = Standing::Stranger;
    Queue::iterator in_all;
    Queue::iterator in_source;
  };

  // Of the holder with the most requests among these.
  std::optional<Id> longest_request(const Queues& queues) const;

  Limits limits_;
  Queues all_;
  std::unordered_map<std::string, Queues> by_source_;
  std::unordered_map<Id, Member> members_;
};

}  // namespace proxima::net
