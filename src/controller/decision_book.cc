// SPDX-License-Identifier: Apache-2.0
#include "controller/decision_book.h"

namespace proxima::controller {

void DecisionBook::put(const std::string& service, DecisionEntry entry) {
  auto made = std::make_shared<const DecisionEntry>(std::move(entry));
  const std::lock_guard guard(mutex_);
  entries_.insert_or_assign(service, std::move(made));
  ++revision_;
}

void DecisionBook::erase(const std::string& service) {
  const std::lock_guard guard(mutex_);
  if (entries_.erase(service) > 0) ++revision_;
}

void DecisionBook::clear() {
  const std::lock_guard guard(mutex_);
  entries_.clear();
  ++revision_;
}

DecisionRef DecisionBook::find(std::string_view service) const {
  const std::lock_guard guard(mutex_);
  const auto found = entries_.find(service);
  return found == entries_.end() ? nullptr : found->second;
}

DecisionBook::Entries DecisionBook::all() const {
  const std::lock_guard guard(mutex_);
  return entries_;
}

std::uint64_t DecisionBook::revision() const {
  const std::lock_guard guard(mutex_);
  return revision_;
}

}  // namespace proxima::controller
