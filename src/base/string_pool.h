// SPDX-License-Identifier: Apache-2.0
// Interned text: equal strings get equal numbers, so that names are compared, hashed and stored as
// four bytes. Views stay valid as long as the pool (moving it keeps them valid), except those of
// names that were forgotten again.
// Not safe for concurrent writing; any number of threads may read a pool nobody writes to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "base/strong.h"

namespace proxima {

// "None" means that there is no text; it differs from the empty text.
using NameId = Index<struct NameIdTag, std::uint32_t>;

class StringPool {
 public:
  StringPool();
  ~StringPool();
  StringPool(StringPool&&) noexcept;
  StringPool& operator=(StringPool&&) noexcept;

  NameId intern(std::string_view text);
  // None when the text was never interned.
  NameId find(std::string_view text) const;
  // The text of `id`; "" for none.
  std::string_view operator[](NameId id) const {
    return id ? texts_[id.value()] : std::string_view();
  }
  std::size_t size() const { return texts_.size(); }

  // Names come and go in layers: what was interned since `mark` is forgotten, memory and all.
  struct Mark {
    std::size_t texts = 0;
    std::size_t blocks = 0;
    std::size_t block_left = 0;
    char* block_next = nullptr;
  };
  // Leaves room for a layer of ordinary size, so that the next ones allocate no memory.
  Mark mark();
  void forget_since(const Mark& mark);

 private:
  struct Lookup;  // keeps the hash map's heavy header out of every file that names something

  std::string_view store(std::string_view text);
  void add_block(std::size_t bytes);

  std::vector<std::string_view> texts_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  std::size_t block_left_ = 0;
  char* block_next_ = nullptr;
  std::unique_ptr<Lookup> lookup_;
};

}  // namespace proxima
