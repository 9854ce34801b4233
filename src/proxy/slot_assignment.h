// SPDX-License-Identifier: Apache-2.0
// Weights as slots: a kernel picks one of N slots at random, and each backend has as many of them
// as its weight calls for. N is one of a few sizes, because a kernel's random number has a fixed
// range. What is assigned again changes as few slots as possible: each one that changes is a write.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "proxy/backend.h"

namespace proxima::proxy {

// Ascending, at least one, none 0.
using SlotSizes = std::vector<std::uint32_t>;

// Every size up to 512, so that up to as many equal backends need no more slots than they are, and
// beyond that 64 to a doubling up to 65536.
const SlotSizes& usual_slot_sizes();

// How far a backend's part of the slots may be from its part of the weight: by `relative` of the
// latter, and where that is less by `absolute`, but never by more than `of_mean` of what a backend
// has on average: among a thousand, 0.05 % would be half of everybody's share. With the largest
// size there is no better.
struct SlotError {
  double relative = 0.02;
  double absolute = 0.0005;
  double of_mean = 0.05;
};

struct SlotAssignment {
  // One a slot: who has it. Empty when there is no backend.
  std::vector<BackendAddress> slots;
  friend bool operator==(const SlotAssignment&, const SlotAssignment&) = default;
};

struct SlotInput {
  std::span<const Backend> backends;  // each address once
  const SlotAssignment* previous = nullptr;
  const SlotSizes& sizes = usual_slot_sizes();
  SlotError error = {};
};

// Each backend gets its exact number of slots rounded up or down, in the smallest size in which
// that is accurate enough. The previous size stays while it is good enough and no more than four
// times what is needed, because another size changes every slot.
SlotAssignment assign_slots(const SlotInput& input);

// Slots of which another backend has `after` than `before`, and all of them when sizes differ.
std::vector<std::uint32_t> changed_slots(const SlotAssignment& before, const SlotAssignment& after);

}  // namespace proxima::proxy
