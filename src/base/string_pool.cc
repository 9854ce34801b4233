// SPDX-License-Identifier: Apache-2.0
#include "base/string_pool.h"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <cstring>

namespace proxima {
namespace {

constexpr std::size_t kBlockBytes = 256 * 1024;

}  // namespace

struct StringPool::Lookup {
  boost::unordered_flat_map<std::string_view, NameId, std::hash<std::string_view>> by_text;
};

StringPool::StringPool() : lookup_(std::make_unique<Lookup>()) {}
StringPool::~StringPool() = default;
StringPool::StringPool(StringPool&&) noexcept = default;
StringPool& StringPool::operator=(StringPool&&) noexcept = default;

NameId StringPool::intern(std::string_view text) {
  if (auto found = lookup_->by_text.find(text); found != lookup_->by_text.end())
    return found->second;
  const std::string_view stored = store(text);
  const NameId id(texts_.size());
  texts_.push_back(stored);
  lookup_->by_text.emplace(stored, id);
  return id;
}

NameId StringPool::find(std::string_view text) const {
  auto found = lookup_->by_text.find(text);
  return found == lookup_->by_text.end() ? NameId() : found->second;
}

StringPool::Mark StringPool::mark() {
  if (block_left_ < kBlockBytes / 2) add_block(kBlockBytes);
  return {texts_.size(), blocks_.size(), block_left_, block_next_};
}

void StringPool::forget_since(const Mark& mark) {
  for (std::size_t i = mark.texts; i < texts_.size(); ++i) lookup_->by_text.erase(texts_[i]);
  texts_.resize(mark.texts);
  blocks_.resize(mark.blocks);
  block_left_ = mark.block_left;
  block_next_ = mark.block_next;
}

std::string_view StringPool::store(std::string_view text) {
  if (text.empty()) return {};
  if (text.size() > block_left_) add_block(std::max(kBlockBytes, text.size()));
  std::memcpy(block_next_, text.data(), text.size());
  const std::string_view stored(block_next_, text.size());
  block_next_ += text.size();
  block_left_ -= text.size();
  return stored;
}

void StringPool::add_block(std::size_t bytes) {
  blocks_.push_back(std::make_unique_for_overwrite<char[]>(bytes));
  block_next_ = blocks_.back().get();
  block_left_ = bytes;
}

}  // namespace proxima
