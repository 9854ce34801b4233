// SPDX-License-Identifier: Apache-2.0
#include "proxy/nft_changes.h"

#include "base/check.h"

namespace proxima::proxy {
namespace {

using namespace dataplane;

void add_rules(const NftChain& chain, std::vector<NftOperation>& operations) {
  for (const NftRule& rule : chain.rules) operations.emplace_back(NftAddRule{chain.name, rule});
}

}  // namespace

NftChanges::Change& NftChanges::change_of(std::string_view set, const NftElement& element) {
  auto found = sets_.find(set);
  if (found == sets_.end()) found = sets_.try_emplace(std::string(set)).first;
  // Intervals that begin alike are different elements.
  return found->second[element.key_end ? element.key + *element.key_end : element.key];
}

void NftChanges::had(std::string_view set, NftElement element) {
  Change& change = change_of(set, element);
  PROXIMA_CHECK(!change.before);
  change.before = std::move(element);
}

void NftChanges::has(std::string_view set, NftElement element) {
  Change& change = change_of(set, element);
  PROXIMA_CHECK(!change.after);
  change.after = std::move(element);
}

std::size_t NftChanges::changed_elements() const {
  std::size_t count = 0;
  for (const auto& [set, changes] : sets_) {
    for (const auto& [key, change] : changes) count += change.is_one() ? 1U : 0U;
  }
  return count;
}

std::vector<NftOperation> NftChanges::operations() && {
  std::vector<NftOperation> operations;
  for (NftSet& set : new_sets_) operations.emplace_back(NftAddSet{std::move(set)});
  for (const NftChain& chain : new_chains_)
    operations.emplace_back(NftAddChain{chain.name, chain.hook});
  for (const NftChain& chain : new_chains_) add_rules(chain, operations);
  for (const NftChain& chain : refilled_) operations.emplace_back(NftFlushChain{chain.name});
  for (const NftChain& chain : refilled_) add_rules(chain, operations);
  for (auto& [set, changes] : sets_) {
    NftDeleteElements deleted{.set = set, .elements = {}};
    NftAddElements added{.set = set, .elements = {}};
    for (auto& [key, change] : changes) {
      if (!change.is_one()) continue;
      if (change.before) deleted.elements.push_back(std::move(*change.before));
      if (change.after) added.elements.push_back(std::move(*change.after));
    }
    if (!deleted.elements.empty()) operations.emplace_back(std::move(deleted));
    if (!added.elements.empty()) operations.emplace_back(std::move(added));
  }
  for (const std::string& chain : old_chains_) operations.emplace_back(NftFlushChain{chain});
  for (std::string& chain : old_chains_) operations.emplace_back(NftDeleteChain{std::move(chain)});
  for (std::string& set : old_sets_) operations.emplace_back(NftDeleteSet{std::move(set)});
  return operations;
}

}  // namespace proxima::proxy
