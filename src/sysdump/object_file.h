// SPDX-License-Identifier: Apache-2.0
// A file of a sysdump with the objects of one kind: their allowed fields, and nothing else. Pure.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "sysdump/allowed_fields.h"

namespace proxima::sysdump {

class ObjectFile {
 public:
  // Borrows the row of the table.
  explicit ObjectFile(const AllowedKind& kind);
  ObjectFile(ObjectFile&& other) noexcept;
  ObjectFile& operator=(ObjectFile&&) = delete;
  ~ObjectFile();

  // Adds the items of a list as the API server answers it. An error: it is no list; nothing of it
  // was added then.
  Status add_list(std::string_view json);
  // Adds one object of the kind. An error: it is no object.
  Status add_object(std::string_view json);

  std::size_t objects() const { return objects_; }
  // A List that kubectl and Proxima read, with an object a line. Nothing is added after it.
  std::string finish() &&;

 private:
  // These keep simdjson's heavy header out.
  struct Parser;
  struct Item;

  void add(const Item& item);

  const AllowedKind& kind_;
  std::unique_ptr<Parser> parser_;
  std::string items_;
  std::size_t objects_ = 0;
};

}  // namespace proxima::sysdump
