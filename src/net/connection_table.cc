// SPDX-License-Identifier: Apache-2.0
#include "net/connection_table.h"

#include "net/server_connection.h"

namespace proxima::net {

ConnectionTable::Room ConnectionTable::make_room(const std::string& source) {
  ConnectionRoster::Room room = roster_.room_for(source);
  // Two at most: one of its address, and then one of too many strangers.
  for (int closed = 0; room.victim && closed < 2; ++closed) {
    close(*room.victim);
    room = roster_.room_for(source);
  }
  return room.available ? Room::Available : Room::Full;
}

bool ConnectionTable::close_one() {
  const auto first = roster_.first_to_leave();
  if (first) close(*first);
  return first.has_value();
}

void ConnectionTable::add(const std::shared_ptr<ServerConnection>& connection,
                          const std::string& source) {
  roster_.add(connection->id(), source);
  connections_.emplace(connection->id(), connection);
}

void ConnectionTable::begin_request(const ServerConnection& connection, const std::string& holder) {
  if (const auto surplus = roster_.begin_request(connection.id(), holder)) close(*surplus);
}

void ConnectionTable::set_standing(const ServerConnection& connection, Standing standing) {
  roster_.set_standing(connection.id(), standing);
}

void ConnectionTable::remove(const ServerConnection& connection) {
  roster_.remove(connection.id());
  connections_.erase(connection.id());
}

// Closing removes it from here, too.
void ConnectionTable::close(ConnectionRoster::Id id) {
  const auto found = connections_.find(id);
  if (found == connections_.end()) return;
  if (const auto connection = found->second.lock()) connection->close();
}

}  // namespace proxima::net
