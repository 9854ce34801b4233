// SPDX-License-Identifier: Apache-2.0
#include "proxy/slot_assignment.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "base/check.h"

namespace proxima::proxy {
namespace {

constexpr std::uint32_t kEverySizeUpTo = 512;
constexpr std::uint32_t kLargestSize = 65536;
constexpr std::uint32_t kStepsInDoubling = 64;
constexpr std::uint32_t kMostTimesTooLarge = 4;

SlotSizes make_usual_sizes() {
  SlotSizes sizes(kEverySizeUpTo);
  std::iota(sizes.begin(), sizes.end(), 1U);
  for (std::uint32_t base = kEverySizeUpTo; base < kLargestSize; base *= 2) {
    for (std::uint32_t step = 1; step <= kStepsInDoubling; ++step)
      sizes.push_back(base + base / kStepsInDoubling * step);
  }
  return sizes;
}

// How many slots a backend may get.
struct Allowed {
  std::uint32_t least = 0;
  std::uint32_t most = 0;
};

class Quotas {
 public:
  Quotas(std::span<const Backend> backends, const SlotError& error)
      : backends_(backends),
        relative_(error.relative),
        absolute_(std::min(error.absolute, error.of_mean / static_cast<double>(backends.size()))) {
    for (const Backend& backend : backends) total_ += backend.weight;
  }

  std::uint64_t total() const { return total_; }
  // What is cut off when the exact quota is rounded down.
  std::uint64_t rest(std::size_t at, std::uint32_t size) const {
    return backends_[at].weight * std::uint64_t{size} % total_;
  }
  // The exact quota rounded down, up, or either.
  Allowed rounded(std::size_t at, std::uint32_t size) const {
    const auto whole =
        static_cast<std::uint32_t>(backends_[at].weight * std::uint64_t{size} / total_);
    return {whole, rest(at, size) == 0 ? whole : whole + 1};
  }
  // The same without what errs too much; none when both do.
  std::optional<Allowed> accurate(std::size_t at, std::uint32_t size) const {
    Allowed allowed = rounded(at, size);
    const std::uint64_t cut = rest(at, size);
    const double share = static_cast<double>(backends_[at].weight) / static_cast<double>(total_);
    const double bound = std::max(relative_ * share, absolute_) * static_cast<double>(total_) *
                         static_cast<double>(size);
    const bool may_cut = static_cast<double>(cut) <= bound;
    const bool may_add = cut > 0 && static_cast<double>(total_ - cut) <= bound;
    if (!may_cut && !may_add) return std::nullopt;
    if (!may_cut) allowed.least = allowed.most;
    if (!may_add) allowed.most = allowed.least;
    return allowed;
  }
  // For every backend; none when the size is too small for such accuracy.
  std::optional<std::vector<Allowed>> accurate(std::uint32_t size) const {
    // Thousands of equal backends would each be within the bound with no slot at all.
    if (size < backends_.size()) return std::nullopt;
    std::vector<Allowed> all;
    all.reserve(backends_.size());
    std::uint64_t least = 0;
    std::uint64_t most = 0;
    for (std::size_t i = 0; i < backends_.size(); ++i) {
      const auto allowed = accurate(i, size);
      if (!allowed) return std::nullopt;
      least += allowed->least;
      most += allowed->most;
      all.push_back(*allowed);
    }
    if (least > size || most < size) return std::nullopt;
    return all;
  }
  std::vector<Allowed> rounded(std::uint32_t size) const {
    std::vector<Allowed> all;
    for (std::size_t i = 0; i < backends_.size(); ++i) all.push_back(rounded(i, size));
    return all;
  }

 private:
  std::span<const Backend> backends_;
  double relative_;
  double absolute_;
  std::uint64_t total_ = 0;
};

struct Size {
  std::uint32_t slots = 0;
  std::vector<Allowed> allowed;  // one a backend
};

Size smallest_size(const SlotSizes& sizes, const Quotas& quotas) {
  for (const std::uint32_t size : sizes) {
    if (auto allowed = quotas.accurate(size)) return {size, std::move(*allowed)};
  }
  return {sizes.back(), quotas.rounded(sizes.back())};
}

Size choose_size(const SlotInput& input, const Quotas& quotas) {
  Size needed = smallest_size(input.sizes, quotas);
  if (input.previous == nullptr) return needed;
  const auto old = static_cast<std::uint32_t>(input.previous->slots.size());
  const bool known = std::binary_search(input.sizes.begin(), input.sizes.end(), old);
  if (!known || old > needed.slots * kMostTimesTooLarge) return needed;
  auto allowed = quotas.accurate(old);
  return allowed ? Size{old, std::move(*allowed)} : needed;
}

// The backends of the previous assignment, as positions in the new list.
class Former {
 public:
  explicit Former(std::span<const Backend> backends) : order_(backends.size()) {
    std::iota(order_.begin(), order_.end(), std::uint32_t{0});
    std::sort(order_.begin(), order_.end(),
              [&](std::uint32_t a, std::uint32_t b) { return backends[a].at < backends[b].at; });
    backends_ = backends;
  }
  std::optional<std::uint32_t> find(const BackendAddress& address) const {
    const auto at = std::lower_bound(
        order_.begin(), order_.end(), address,
        [&](std::uint32_t i, const BackendAddress& wanted) { return backends_[i].at < wanted; });
    if (at == order_.end() || backends_[*at].at != address) return std::nullopt;
    return *at;
  }

 private:
  std::span<const Backend> backends_;
  std::vector<std::uint32_t> order_;
};

// The least first; of the slots left over, one each to those who would otherwise have to give one
// away, and then to those whose quota was cut the most.
std::vector<std::uint32_t> count_slots(const Quotas& quotas, const Size& size,
                                       const std::vector<std::uint32_t>& had) {
  std::vector<std::uint32_t> counts(had.size());
  std::vector<std::uint32_t> order;
  std::uint32_t given = 0;
  for (std::uint32_t i = 0; i < counts.size(); ++i) {
    counts[i] = size.allowed[i].least;
    given += counts[i];
    if (size.allowed[i].most > counts[i]) order.push_back(i);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    const bool keeps_a = had[a] > counts[a];
    const bool keeps_b = had[b] > counts[b];
    if (keeps_a != keeps_b) return keeps_a;
    return quotas.rest(a, size.slots) > quotas.rest(b, size.slots);
  });
  for (std::size_t i = 0; given < size.slots; ++i, ++given) ++counts[order[i]];
  return counts;
}

// Who had slot after slot, as far as those backends are still there.
std::vector<std::optional<std::uint32_t>> former_holders(const SlotInput& input,
                                                         std::uint32_t size) {
  std::vector<std::optional<std::uint32_t>> holders(size);
  if (input.previous == nullptr || input.previous->slots.size() != size) return holders;
  const Former former(input.backends);
  for (std::uint32_t slot = 0; slot < size; ++slot)
    holders[slot] = former.find(input.previous->slots[slot]);
  return holders;
}

}  // namespace

const SlotSizes& usual_slot_sizes() {
  static const SlotSizes sizes = make_usual_sizes();
  return sizes;
}

SlotAssignment assign_slots(const SlotInput& input) {
  if (input.backends.empty()) return {};
  const Quotas quotas(input.backends, input.error);
  PROXIMA_CHECK(quotas.total() > 0);
  const Size size = choose_size(input, quotas);
  auto holders = former_holders(input, size.slots);
  std::vector<std::uint32_t> had(input.backends.size());
  for (const auto& holder : holders) {
    if (holder) ++had[*holder];
  }
  std::vector<std::uint32_t> open = count_slots(quotas, size, had);
  for (auto& holder : holders) {
    if (!holder) continue;
    if (open[*holder] == 0) {
      holder.reset();
    } else {
      --open[*holder];
    }
  }
  SlotAssignment assignment;
  assignment.slots.reserve(size.slots);
  std::uint32_t next = 0;
  for (const auto& holder : holders) {
    while (!holder && open[next] == 0) ++next;
    const std::uint32_t chosen = holder ? *holder : next;
    if (!holder) --open[chosen];
    assignment.slots.push_back(input.backends[chosen].at);
  }
  return assignment;
}

std::vector<std::uint32_t> changed_slots(const SlotAssignment& before,
                                         const SlotAssignment& after) {
  const std::size_t size = std::max(before.slots.size(), after.slots.size());
  const bool resized = before.slots.size() != after.slots.size();
  std::vector<std::uint32_t> changed;
  for (std::uint32_t slot = 0; slot < size; ++slot) {
    if (resized || before.slots[slot] != after.slots[slot]) changed.push_back(slot);
  }
  return changed;
}

}  // namespace proxima::proxy
