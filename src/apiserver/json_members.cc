// SPDX-License-Identifier: Apache-2.0
#include "apiserver/json_members.h"

namespace proxima::apiserver {

boost::json::object::iterator erase_at(boost::json::object& from,
                                       boost::json::object::iterator at) {
  return from.size() <= kOrderedMembers ? from.stable_erase(at) : from.erase(at);
}

void erase_member(boost::json::object& from, std::string_view key) {
  const auto found = from.find({key.data(), key.size()});
  if (found != from.end()) erase_at(from, found);
}

}  // namespace proxima::apiserver
