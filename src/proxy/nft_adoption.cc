// SPDX-License-Identifier: Apache-2.0
#include "proxy/nft_adoption.h"

#include <algorithm>
#include <map>
#include <utility>

#include "proxy/nft_chains.h"

namespace proxima::proxy {
namespace {

using namespace dataplane;

bool has_hook(const NftChain& chain) { return chain.hook.has_value(); }
bool by_name(const NftSet& a, const NftSet& b) { return a.name < b.name; }

// ---- Everything anew ----

// Elements as they come, in transactions of about the same size.
class Loader {
 public:
  Loader(const NftRenderer& renderer, std::size_t elements, const EmitTransaction& emit)
      : renderer_(renderer), elements_(elements), emit_(emit) {}

  void add(NftOperation operation) { transaction_.push_back(std::move(operation)); }
  void add_element(std::string_view set, NftElement element) {
    auto found = gathered_.find(set);
    if (found == gathered_.end()) found = gathered_.try_emplace(std::string(set)).first;
    found->second.push_back(std::move(element));
    if (++count_ == elements_) flush();
  }
  void gather() {
    for (auto& [set, elements] : gathered_)
      transaction_.emplace_back(NftAddElements{set, std::move(elements)});
    gathered_.clear();
    count_ = 0;
  }
  void flush() {
    gather();
    NftTransaction transaction{.family = renderer_.family(),
                               .table = renderer_.options().table,
                               .operations = std::exchange(transaction_, {})};
    // What comes after a failure is of no use.
    if (status_ && !transaction.empty()) status_ = emit_(transaction);
  }
  Status status() const { return status_; }

 private:
  const NftRenderer& renderer_;
  std::size_t elements_;  // 0: any number
  const EmitTransaction& emit_;
  std::vector<NftOperation> transaction_;
  std::map<std::string, std::vector<NftElement>, std::less<>> gathered_;
  std::size_t count_ = 0;
  Status status_ = Unit{};
};

void load_chains(const std::vector<NftChain>& chains, bool with_hook, Loader& loader) {
  for (const NftChain& chain : chains) {
    if (has_hook(chain) == with_hook) loader.add(NftAddChain{chain.name, chain.hook});
  }
  for (const NftChain& chain : chains) {
    if (has_hook(chain) != with_hook) continue;
    for (const NftRule& rule : chain.rules) loader.add(NftAddRule{chain.name, rule});
  }
}

// ---- Differences ----

// Those that are not there. What has another form than ours makes a table foreign.
void add_sets(const NftRenderer& renderer, const NftTableContent& content,
              std::vector<NftOperation>& operations, std::size_t& count) {
  for (NftSet& set : renderer.sets()) {
    if (find_set(content, set.name) != nullptr) continue;
    ++count;
    operations.emplace_back(NftAddSet{std::move(set)});
  }
}

void diff_chains(const NftRenderer& renderer, const NftTableContent& content,
                 std::vector<NftOperation>& operations, std::size_t& count) {
  const std::vector<NftChain> wanted = renderer.chains();
  std::vector<const NftChain*> refilled;
  for (const NftChain& chain : wanted) {
    const NftChain* there = find_chain(content.chains, chain.name);
    if (there != nullptr && *there == chain) continue;
    ++count;
    refilled.push_back(&chain);
    if (there != nullptr) operations.emplace_back(NftFlushChain{chain.name});
    if (there != nullptr && there->hook != chain.hook)
      operations.emplace_back(NftDeleteChain{chain.name});
    if (there == nullptr || there->hook != chain.hook)
      operations.emplace_back(NftAddChain{chain.name, chain.hook});
  }
  for (const NftChain& chain : content.chains) {
    if (find_chain(wanted, chain.name) == nullptr)
      operations.emplace_back(NftFlushChain{chain.name});
  }
  for (const NftChain* chain : refilled) {
    for (const NftRule& rule : chain->rules) operations.emplace_back(NftAddRule{chain->name, rule});
  }
}

void remove_strangers(const NftRenderer& renderer, const NftTableContent& content,
                      std::vector<NftOperation>& operations, std::size_t& count) {
  const std::vector<NftChain> wanted = renderer.chains();
  for (const NftChain& chain : content.chains) {
    if (find_chain(wanted, chain.name) != nullptr) continue;
    ++count;
    operations.emplace_back(NftDeleteChain{chain.name});
  }
  const std::vector<NftSet> sets = renderer.sets();
  for (const NftSetContent& there : content.sets) {
    if (std::binary_search(sets.begin(), sets.end(), there.set, by_name)) continue;
    ++count;
    operations.emplace_back(NftDeleteSet{there.set.name});
  }
}

bool before(const NftElement& a, const NftElement& b) {
  return std::tie(a.key, a.key_end) < std::tie(b.key, b.key_end);
}
bool same_key(const NftElement& a, const NftElement& b) {
  return a.key == b.key && a.key_end == b.key_end;
}

// Elements that are there, in order, and which of them should be. The whole of what should be there
// is never in memory at once: with that of the kernel it would be the most that the program ever
// needs.
class Comparison {
 public:
  explicit Comparison(NftSetContent content) : elements_(std::move(content.elements)) {
    if (!std::is_sorted(elements_.begin(), elements_.end(), before))
      std::sort(elements_.begin(), elements_.end(), before);
    elements_.erase(std::unique(elements_.begin(), elements_.end(), same_key), elements_.end());
    found_.resize(elements_.size());
  }

  // Whether it is there with that value.
  bool expect(const NftElement& wanted) {
    const auto at = std::lower_bound(elements_.begin(), elements_.end(), wanted, before);
    if (at == elements_.end() || !(*at == wanted)) return false;
    found_[static_cast<std::size_t>(at - elements_.begin())] = true;
    return true;
  }
  // visit(NftElement)
  template <class Visit>
  void each_unexpected(Visit visit) {
    for (std::size_t i = 0; i < elements_.size(); ++i) {
      if (!found_[i]) visit(std::move(elements_[i]));
    }
  }

 private:
  std::vector<NftElement> elements_;
  std::vector<bool> found_;
};

NftChanges diff_elements(const NftRenderer& renderer, NftTableContent& content) {
  std::map<std::string, Comparison, std::less<>> sets;
  for (const NftSet& set : nft_sets()) {
    const auto there = std::find_if(content.sets.begin(), content.sets.end(),
                                    [&](const auto& one) { return one.set.name == set.name; });
    sets.emplace(set.name, there == content.sets.end() ? NftSetContent{} : std::move(*there));
  }
  NftChanges changes;
  renderer.each_element([&](std::string_view set, NftElement element) {
    if (!sets.find(set)->second.expect(element)) changes.has(set, std::move(element));
  });
  for (auto& [name, comparison] : sets) {
    comparison.each_unexpected(
        [&, set = &name](NftElement element) { changes.had(*set, std::move(element)); });
  }
  return changes;
}

}  // namespace

NftFound recognise(const std::optional<NftTableContent>& content, const NftOptions& options) {
  if (!content) return NftFound::Nothing;
  if (std::none_of(content->chains.begin(), content->chains.end(), has_hook))
    return NftFound::NotLive;
  if (find_chain(content->chains, nft_layout_chain()) == nullptr) return NftFound::Foreign;
  for (const NftSet& set : nft_sets()) {
    const NftSetContent* there = find_set(*content, set.name);
    if (there == nullptr || !(there->set == set)) return NftFound::Foreign;
  }
  for (const NftSetContent& there : content->sets) {
    if (port_of_client_map(there.set.name) == 0) continue;
    if (!(there.set == nft_client_map(there.set.name, options))) return NftFound::Foreign;
  }
  return NftFound::Ours;
}

Status load_nft_table(const NftRenderer& renderer, NftFound found, std::size_t elements,
                      const EmitTransaction& emit) {
  const bool at_once = found == NftFound::Foreign || found == NftFound::Ours;
  Loader loader(renderer, at_once ? 0 : elements, emit);
  if (found != NftFound::Nothing) loader.add(NftDeleteTable{});
  loader.add(NftAddTable{});
  for (NftSet& set : renderer.sets()) loader.add(NftAddSet{std::move(set)});
  const std::vector<NftChain> chains = renderer.chains();
  load_chains(chains, false, loader);
  renderer.each_element([&](std::string_view set, NftElement element) {
    loader.add_element(set, std::move(element));
  });
  loader.gather();
  load_chains(chains, true, loader);
  loader.flush();
  return loader.status();
}

NftDifference diff_nft_table(const NftRenderer& renderer, NftTableContent content) {
  NftDifference difference;
  difference.transaction.family = renderer.family();
  difference.transaction.table = renderer.options().table;
  auto& operations = difference.transaction.operations;
  add_sets(renderer, content, operations, difference.count);
  diff_chains(renderer, content, operations, difference.count);
  std::vector<NftOperation> removals;
  remove_strangers(renderer, content, removals, difference.count);
  NftChanges changes = diff_elements(renderer, content);
  difference.count += changes.changed_elements();
  for (NftOperation& operation : std::move(changes).operations())
    operations.push_back(std::move(operation));
  for (NftOperation& operation : removals) operations.push_back(std::move(operation));
  return difference;
}

}  // namespace proxima::proxy
