// SPDX-License-Identifier: Apache-2.0
// The live state packed by gzip: once a revision, by the first who wants it so, and one text in
// memory for all.
#pragma once

#include <memory>
#include <mutex>
#include <string>

#include "web/live_loop.h"

namespace proxima::web {

// Safe for concurrent use.
class PackedText {
 public:
  explicit PackedText(std::shared_ptr<const std::string> plain) : plain_(std::move(plain)) {}
  // Takes milliseconds for each megabyte; nothing is done twice.
  void pack();
  // Null: pack() has not come to its end.
  std::shared_ptr<const std::string> text() const;

 private:
  std::once_flag once_;
  mutable std::mutex mutex_;
  std::shared_ptr<const std::string> plain_;  // null: it is packed
  std::shared_ptr<const std::string> packed_;
};

// For one thread.
class PackedState {
 public:
  // Of what was published, which has a document.
  std::shared_ptr<PackedText> of(const Published& published);

 private:
  std::uint64_t revision_ = 0;
  std::shared_ptr<PackedText> text_;
};

}  // namespace proxima::web
