// SPDX-License-Identifier: Apache-2.0
// Gathers what a table had and what it shall have, and makes a transaction of the difference.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dataplane/nft_model.h"

namespace proxima::proxy {

class NftChanges {
 public:
  void add_set(dataplane::NftSet set) { new_sets_.push_back(std::move(set)); }
  void add_chain(dataplane::NftChain chain) { new_chains_.push_back(std::move(chain)); }
  // Its rules are not these any more; a hook stays as it is.
  void refill_chain(dataplane::NftChain chain) { refilled_.push_back(std::move(chain)); }
  // Nothing that stays may lead to it, or use it.
  void remove_chain(std::string name) { old_chains_.push_back(std::move(name)); }
  void remove_set(std::string name) { old_sets_.push_back(std::move(name)); }
  // At most once an element and direction.
  void had(std::string_view set, dataplane::NftElement element);
  void has(std::string_view set, dataplane::NftElement element);

  // Those that are added, deleted or have another value.
  std::size_t changed_elements() const;
  // New sets and chains before what uses them, old ones behind; of elements, deletions before
  // additions.
  std::vector<dataplane::NftOperation> operations() &&;

 private:
  struct Change {
    std::optional<dataplane::NftElement> before;
    std::optional<dataplane::NftElement> after;
    bool is_one() const { return before != after; }
  };
  Change& change_of(std::string_view set, const dataplane::NftElement& element);

  std::vector<dataplane::NftSet> new_sets_;
  std::vector<dataplane::NftChain> new_chains_;
  std::vector<dataplane::NftChain> refilled_;
  std::vector<std::string> old_chains_;
  std::vector<std::string> old_sets_;
  std::map<std::string, std::map<dataplane::NftBytes, Change>, std::less<>> sets_;
};

}  // namespace proxima::proxy
