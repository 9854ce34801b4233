// SPDX-License-Identifier: Apache-2.0
// A table as a value: what is read out of a kernel, and a model of one that takes transactions as
// a kernel does.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dataplane/nft_model.h"

namespace proxima::dataplane {

struct NftSetContent {
  NftSet set;
  std::vector<NftElement> elements;
  friend bool operator==(const NftSetContent&, const NftSetContent&) = default;
};

// Chains and sets by name. What is none of the model's is there all the same, but equals nothing of
// ours: a rule with an unknown step has an NftUnknown, a set of an unknown type has no key.
struct NftTableContent {
  std::vector<NftChain> chains;
  std::vector<NftSetContent> sets;
  friend bool operator==(const NftTableContent&, const NftTableContent&) = default;
};

// Of a list by name. Null when it is not there.
const NftChain* find_chain(const std::vector<NftChain>& chains, std::string_view name);
const NftSetContent* find_set(const NftTableContent& content, std::string_view name);

class NftTable {
 public:
  explicit NftTable(IpFamily family) : family_(family) {}

  // All of it, or nothing and why. Refuses what a kernel refuses of these: what is there already
  // with another value, what is not there, pointers to what is not there and to what goes, loops,
  // jumps too deep, intervals that overlap, values of a wrong width.
  Status apply(const NftTransaction& transaction);

  IpFamily family() const { return family_; }
  bool exists() const { return exists_; }
  NftTableContent content() const;

  const NftChain* chain(const std::string& name) const;
  const NftSet* set(const std::string& name) const;
  // Base chains of a hook in the order in which packets meet them.
  std::vector<const NftChain*> at(NftHook::Where where) const;
  // The element that `key` falls on; null when there is none.
  const NftElement* find(const std::string& set, const NftBytes& key) const;

  // Of a set that is there and learns: whether it takes no further element.
  bool is_full(const std::string& set) const;
  // As a rule does it. Of a set that is there and learns.
  void learn(const std::string& set, const NftBytes& key, const NftBytes& data);
  void forget(const std::string& set, const NftBytes& key);

 private:
  struct Elements {
    NftSet set;
    std::map<NftBytes, NftElement> by_key;
  };

  Status apply_one(const NftOperation& operation);
  Status run(const NftAddTable& operation);
  Status run(const NftDeleteTable& operation);
  Status run(const NftAddChain& operation);
  Status run(const NftFlushChain& operation);
  Status run(const NftDeleteChain& operation);
  Status run(const NftAddRule& operation);
  Status run(const NftDeleteRule& operation);
  Status run(const NftAddSet& operation);
  Status run(const NftDeleteSet& operation);
  Status run(const NftFlushSet& operation);
  Status run(const NftAddElements& operation);
  Status run(const NftDeleteElements& operation);
  Status add_element(Elements& elements, const NftElement& element) const;
  Status check_element(const NftSet& set, const NftElement& element) const;
  bool points_to_chain(const std::string& name) const;
  bool points_to_set(const std::string& name) const;
  // The chains that rules of `chain` may go on in.
  Result<std::vector<std::string>> targets(const NftChain& chain) const;
  Status check_from(const NftChain& chain, std::vector<std::string>& way) const;

  IpFamily family_;
  bool exists_ = false;
  std::map<std::string, NftChain> chains_;
  std::map<std::string, Elements> sets_;
};

}  // namespace proxima::dataplane
