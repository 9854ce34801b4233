// SPDX-License-Identifier: Apache-2.0
#include "dataplane/nft_table.h"

#include <algorithm>

namespace proxima::dataplane {
namespace {

// NFT_JUMP_STACK_SIZE; a goto counts as well when the kernel looks for loops.
constexpr std::size_t kMostDeep = 16;

Error refused(std::string message) { return {ErrorCode::InvalidInput, std::move(message)}; }
Error missing(const std::string& name) {
  return {ErrorCode::NotFound, "\"" + name + "\" is not there"};
}

bool leads_on(const NftVerdict& verdict) {
  return verdict.kind == NftVerdict::Kind::Jump || verdict.kind == NftVerdict::Kind::Goto;
}

std::string set_of(const NftExpression& step) {
  if (const auto* lookup = std::get_if<NftLookup>(&step)) return lookup->set;
  if (const auto* learn = std::get_if<NftLearn>(&step)) return learn->set;
  return {};
}

// Part by part, each within its own bounds, as a kernel's set of concatenated intervals does it.
bool covers(const NftSet& set, IpFamily family, const NftElement& element, const NftBytes& key) {
  const NftBytes& last = element.key_end ? *element.key_end : element.key;
  std::size_t at = 0;
  for (const NftType part : set.key) {
    const std::size_t width = nft_width(part, family);
    if (key.compare(at, width, element.key, at, width) < 0) return false;
    if (key.compare(at, width, last, at, width) > 0) return false;
    at += width;
  }
  return true;
}

}  // namespace

const NftChain* find_chain(const std::vector<NftChain>& chains, std::string_view name) {
  const auto found = std::lower_bound(
      chains.begin(), chains.end(), name,
      [](const NftChain& chain, std::string_view wanted) { return chain.name < wanted; });
  return found == chains.end() || found->name != name ? nullptr : &*found;
}

const NftSetContent* find_set(const NftTableContent& content, std::string_view name) {
  const auto found = std::lower_bound(
      content.sets.begin(), content.sets.end(), name,
      [](const NftSetContent& set, std::string_view wanted) { return set.set.name < wanted; });
  return found == content.sets.end() || found->set.name != name ? nullptr : &*found;
}

Status NftTable::apply(const NftTransaction& transaction) {
  if (transaction.family != family_) return refused("another family's table");
  NftTable next = *this;
  for (const NftOperation& operation : transaction.operations) {
    if (auto done = next.apply_one(operation); !done) return done;
  }
  for (const auto& [name, chain] : next.chains_) {
    std::vector<std::string> way;
    if (!chain.hook) continue;
    if (auto checked = next.check_from(chain, way); !checked) return checked;
  }
  *this = std::move(next);
  return Unit{};
}

NftTableContent NftTable::content() const {
  NftTableContent content;
  for (const auto& [name, chain] : chains_) content.chains.push_back(chain);
  for (const auto& [name, elements] : sets_) {
    NftSetContent& set = content.sets.emplace_back(NftSetContent{elements.set, {}});
    for (const auto& [key, element] : elements.by_key) set.elements.push_back(element);
  }
  return content;
}

const NftChain* NftTable::chain(const std::string& name) const {
  const auto found = chains_.find(name);
  return found == chains_.end() ? nullptr : &found->second;
}

const NftSet* NftTable::set(const std::string& name) const {
  const auto found = sets_.find(name);
  return found == sets_.end() ? nullptr : &found->second.set;
}

std::vector<const NftChain*> NftTable::at(NftHook::Where where) const {
  std::vector<const NftChain*> found;
  for (const auto& [name, chain] : chains_) {
    if (chain.hook && chain.hook->where == where) found.push_back(&chain);
  }
  std::stable_sort(found.begin(), found.end(), [](const NftChain* a, const NftChain* b) {
    return a->hook->priority < b->hook->priority;
  });
  return found;
}

const NftElement* NftTable::find(const std::string& set, const NftBytes& key) const {
  const auto found = sets_.find(set);
  if (found == sets_.end()) return nullptr;
  const Elements& elements = found->second;
  if (elements.set.intervals) {
    for (const auto& [first, element] : elements.by_key) {
      if (covers(elements.set, family_, element, key)) return &element;
    }
    return nullptr;
  }
  const auto element = elements.by_key.find(key);
  return element == elements.by_key.end() ? nullptr : &element->second;
}

bool NftTable::is_full(const std::string& set) const {
  const auto found = sets_.find(set);
  PROXIMA_CHECK(found != sets_.end() && found->second.set.learns);
  return found->second.by_key.size() >= found->second.set.size_limit;
}

void NftTable::learn(const std::string& set, const NftBytes& key, const NftBytes& data) {
  const auto found = sets_.find(set);
  PROXIMA_CHECK(found != sets_.end() && found->second.set.learns);
  auto& known = found->second.by_key;
  if (!is_full(set)) known.try_emplace(key, NftElement{.key = key, .key_end = {}, .value = data});
}

void NftTable::forget(const std::string& set, const NftBytes& key) {
  const auto found = sets_.find(set);
  PROXIMA_CHECK(found != sets_.end() && found->second.set.learns);
  found->second.by_key.erase(key);
}

Status NftTable::apply_one(const NftOperation& operation) {
  const bool makes_it = std::holds_alternative<NftAddTable>(operation);
  if (!exists_ && !makes_it) return missing("the table");
  return std::visit([&](const auto& one) { return run(one); }, operation);
}

Status NftTable::run(const NftAddTable& /*operation*/) {
  exists_ = true;
  return Unit{};
}

Status NftTable::run(const NftDeleteTable& /*operation*/) {
  exists_ = false;
  chains_.clear();
  sets_.clear();
  return Unit{};
}

Status NftTable::run(const NftAddChain& operation) {
  const auto [at, added] =
      chains_.try_emplace(operation.name, NftChain{operation.name, operation.hook, {}});
  if (!added && at->second.hook != operation.hook)
    return refused("chain " + operation.name + " has another hook");
  return Unit{};
}

Status NftTable::run(const NftFlushChain& operation) {
  const auto found = chains_.find(operation.name);
  if (found == chains_.end()) return missing(operation.name);
  found->second.rules.clear();
  return Unit{};
}

Status NftTable::run(const NftDeleteChain& operation) {
  const auto found = chains_.find(operation.name);
  if (found == chains_.end()) return missing(operation.name);
  if (!found->second.rules.empty()) return refused("chain " + operation.name + " has rules");
  if (points_to_chain(operation.name)) return refused("chain " + operation.name + " is in use");
  chains_.erase(found);
  return Unit{};
}

Status NftTable::run(const NftAddRule& operation) {
  const auto found = chains_.find(operation.chain);
  if (found == chains_.end()) return missing(operation.chain);
  for (const NftExpression& step : operation.rule.steps) {
    const std::string set = set_of(step);
    if (!set.empty() && sets_.count(set) == 0) return missing(set);
    const auto* verdict = std::get_if<NftVerdict>(&step);
    if (verdict != nullptr && leads_on(*verdict) && chains_.count(verdict->chain) == 0)
      return missing(verdict->chain);
  }
  found->second.rules.push_back(operation.rule);
  return Unit{};
}

// Only a kernel gives numbers to rules.
Status NftTable::run(const NftDeleteRule& operation) {
  return missing("rule " + std::to_string(operation.handle) + " of " + operation.chain);
}

Status NftTable::run(const NftAddSet& operation) {
  const auto [at, added] =
      sets_.try_emplace(operation.set.name, Elements{.set = operation.set, .by_key = {}});
  if (!added && !(at->second.set == operation.set))
    return refused("set " + operation.set.name + " is another one");
  return Unit{};
}

Status NftTable::run(const NftDeleteSet& operation) {
  if (sets_.count(operation.name) == 0) return missing(operation.name);
  if (points_to_set(operation.name)) return refused("set " + operation.name + " is in use");
  sets_.erase(operation.name);
  return Unit{};
}

Status NftTable::run(const NftFlushSet& operation) {
  const auto found = sets_.find(operation.name);
  if (found == sets_.end()) return missing(operation.name);
  found->second.by_key.clear();
  return Unit{};
}

Status NftTable::run(const NftAddElements& operation) {
  const auto found = sets_.find(operation.set);
  if (found == sets_.end()) return missing(operation.set);
  for (const NftElement& element : operation.elements) {
    if (auto checked = check_element(found->second.set, element); !checked) return checked;
    if (auto added = add_element(found->second, element); !added) return added;
  }
  return Unit{};
}

Status NftTable::run(const NftDeleteElements& operation) {
  const auto found = sets_.find(operation.set);
  if (found == sets_.end()) return missing(operation.set);
  for (const NftElement& element : operation.elements) {
    const auto known = found->second.by_key.find(element.key);
    if (known == found->second.by_key.end() || known->second.key_end != element.key_end)
      return missing("an element of " + operation.set);
    found->second.by_key.erase(known);
  }
  return Unit{};
}

Status NftTable::check_element(const NftSet& set, const NftElement& element) const {
  const std::size_t width = nft_width(set.key, family_);
  if (element.key.size() != width) return refused("a key of another width than " + set.name + "'s");
  if (element.key_end && (!set.intervals || element.key_end->size() != width))
    return refused("an interval in " + set.name);
  if (set.holds == NftSet::Holds::Keys)
    return std::holds_alternative<std::monostate>(element.value)
               ? Status(Unit{})
               : refused("a value in " + set.name);
  if (set.holds == NftSet::Holds::Data) {
    const auto* data = std::get_if<NftBytes>(&element.value);
    const bool fits = data != nullptr && data->size() == nft_width(set.data, family_);
    return fits ? Status(Unit{}) : refused("data of another width than " + set.name + "'s");
  }
  const auto* verdict = std::get_if<NftVerdict>(&element.value);
  if (verdict == nullptr) return refused("no verdict in " + set.name);
  if (leads_on(*verdict) && chains_.count(verdict->chain) == 0) return missing(verdict->chain);
  return Unit{};
}

Status NftTable::add_element(Elements& elements, const NftElement& element) const {
  const auto known = elements.by_key.find(element.key);
  if (known != elements.by_key.end()) {
    if (known->second == element) return Unit{};
    return refused("an element of " + elements.set.name + " has another value");
  }
  if (elements.set.intervals) {
    const NftBytes& last = element.key_end ? *element.key_end : element.key;
    for (const auto& [first, other] : elements.by_key) {
      if (covers(elements.set, family_, other, element.key) ||
          covers(elements.set, family_, other, last))
        return refused("intervals of " + elements.set.name + " overlap");
    }
  }
  elements.by_key.emplace(element.key, element);
  return Unit{};
}

bool NftTable::points_to_chain(const std::string& name) const {
  const auto points = [&](const NftVerdict* verdict) {
    return verdict != nullptr && leads_on(*verdict) && verdict->chain == name;
  };
  for (const auto& [from, chain] : chains_) {
    for (const NftRule& rule : chain.rules) {
      for (const NftExpression& step : rule.steps) {
        if (points(std::get_if<NftVerdict>(&step))) return true;
      }
    }
  }
  return std::any_of(sets_.begin(), sets_.end(), [&](const auto& set) {
    const auto& elements = set.second.by_key;
    return std::any_of(elements.begin(), elements.end(), [&](const auto& element) {
      return points(std::get_if<NftVerdict>(&element.second.value));
    });
  });
}

bool NftTable::points_to_set(const std::string& name) const {
  for (const auto& [from, chain] : chains_) {
    for (const NftRule& rule : chain.rules) {
      for (const NftExpression& step : rule.steps) {
        if (set_of(step) == name) return true;
      }
    }
  }
  return false;
}

Result<std::vector<std::string>> NftTable::targets(const NftChain& chain) const {
  std::vector<std::string> found;
  const auto take = [&](const NftVerdict* verdict) {
    if (verdict != nullptr && leads_on(*verdict)) found.push_back(verdict->chain);
  };
  for (const NftRule& rule : chain.rules) {
    for (const NftExpression& step : rule.steps) {
      take(std::get_if<NftVerdict>(&step));
      const auto* lookup = std::get_if<NftLookup>(&step);
      if (lookup == nullptr) continue;
      const auto set = sets_.find(lookup->set);
      if (set == sets_.end()) return missing(lookup->set);
      if (set->second.set.holds != NftSet::Holds::Verdicts) continue;
      for (const auto& [key, element] : set->second.by_key)
        take(std::get_if<NftVerdict>(&element.value));
    }
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

// NOLINTNEXTLINE(misc-no-recursion): as deep as kMostDeep
Status NftTable::check_from(const NftChain& chain, std::vector<std::string>& way) const {
  if (std::find(way.begin(), way.end(), chain.name) != way.end())
    return refused("chain " + chain.name + " leads to itself");
  if (way.size() == kMostDeep) return refused("chain " + chain.name + " is too deep");
  way.push_back(chain.name);
  PROXIMA_TRY(const auto next, targets(chain), "chain " + chain.name);
  for (const std::string& name : next) {
    const auto found = chains_.find(name);
    if (found == chains_.end()) return missing(name);
    if (auto checked = check_from(found->second, way); !checked) return checked;
  }
  way.pop_back();
  return Unit{};
}

}  // namespace proxima::dataplane
