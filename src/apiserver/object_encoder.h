// SPDX-License-Identifier: Apache-2.0
// Stored objects as the bytes of an answer: alone, in a list, in a watch; whole, as metadata, or as
// rows of a Table. Where the stored text is what was asked for, it is copied and not parsed.
#pragma once

#include <boost/json/fwd.hpp>
#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "apiserver/content_negotiation.h"
#include "apiserver/resource.h"
#include "apiserver/store.h"

namespace proxima::apiserver {

struct ListMeta {
  Revision revision = 0;
  std::string continue_token;
  std::int64_t remaining = -1;  // −1: not told
};

// Whether objects are answered with their stored text, or are parsed for it.
enum class Showing { AsStored, Parsed };

class ObjectEncoder {
 public:
  ObjectEncoder(const ResourceType& type, Representation representation);

  Showing showing() const { return copies_ ? Showing::AsStored : Showing::Parsed; }

  // Ages in Tables are relative to this.
  void set_now(std::chrono::system_clock::time_point now) { now_ = now; }

  std::string single(const StoredObject& object) const;
  // An object that is not stored: the result of a dry run. In the stored form.
  std::string single(const boost::json::object& object) const;

  // {"kind":"PodList",…"items":[  then items with commas between, then list_end().
  std::string list_begin(const ListMeta& meta) const;
  void append_item(std::string& out, const StoredObject& object) const;
  static std::string_view list_end() { return "]}\n"; }

  // One line of a watch. The first row of a Table brings the columns.
  void append_event(std::string& out, std::string_view type, const StoredObject& object);
  void append_event(std::string& out, std::string_view type, const boost::json::object& object);
  void append_bookmark(std::string& out, Revision revision, bool end_of_initial_events);

 private:
  // In the face of the type.
  boost::json::object shown(const StoredObject& object) const;
  std::string encode(const boost::json::object& object) const;
  // In the version of the meta group that the client asked for.
  boost::json::object row_of(const boost::json::object& object) const;
  std::string table_of(const boost::json::object& object, bool with_columns) const;
  bool copies() const { return copies_; }

  const ResourceType* type_;
  Representation representation_;
  bool copies_;                // the stored text is the answer
  std::string stored_prefix_;  // what list items leave out
  bool columns_sent_ = false;
  std::chrono::system_clock::time_point now_;
};

}  // namespace proxima::apiserver
