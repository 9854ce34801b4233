// SPDX-License-Identifier: Apache-2.0
// The connections that share the slots of one policy: those of a server, or of all the doors of a
// loop. Everything happens on the loop's thread.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include "net/body_budget.h"
#include "net/connection_roster.h"
#include "net/listener_policy.h"

namespace proxima::net {

class ServerConnection;

class ConnectionTable {
 public:
  explicit ConnectionTable(const ListenerPolicy& policy)
      : policy_(policy),
        roster_({.slots = policy.slots,
                 .slots_per_address = policy.slots_per_address,
                 .stranger_slots = policy.stranger_slots}),
        bodies_(policy.bodies_bytes_max) {}

  const ListenerPolicy& policy() const { return policy_; }
  BodyBudget& bodies() { return bodies_; }
  ConnectionRoster::Id next_id() { return ++last_id_; }

  // Closes whoever has to make room for a connection from `source`. Full: nobody has to.
  enum class Room { Available, Full };
  Room make_room(const std::string& source);
  // Closes whoever would have to leave first. False: nobody would.
  bool close_one();

  void add(const std::shared_ptr<ServerConnection>& connection, const std::string& source);
  // An authenticated request of `holder` begins; closes whoever has to leave for it.
  void begin_request(const ServerConnection& connection, const std::string& holder);
  void set_standing(const ServerConnection& connection, Standing standing);
  void remove(const ServerConnection& connection);

 private:
  void close(ConnectionRoster::Id id);

  const ListenerPolicy policy_;
  ConnectionRoster roster_;
  BodyBudget bodies_;
  ConnectionRoster::Id last_id_ = 0;
  std::unordered_map<ConnectionRoster::Id, std::weak_ptr<ServerConnection>> connections_;
};

}  // namespace proxima::net
