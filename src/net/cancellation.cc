// SPDX-License-Identifier: Apache-2.0
#include "net/cancellation.h"

#include <atomic>
#include <mutex>
#include <utility>
#include <vector>

namespace proxima::net {

struct Cancellation::Slot {
  std::mutex running;  // held during the call, so that a destructor waits for it
  std::function<void()> on_cancel;
  std::weak_ptr<State> state;

  void run_once() {
    const std::lock_guard lock(running);
    if (const auto call = std::exchange(on_cancel, nullptr)) call();
  }
};

struct Cancellation::State {
  std::atomic<bool> cancelled = false;
  std::mutex mutex;
  std::vector<std::shared_ptr<Slot>> slots;

  std::vector<std::shared_ptr<Slot>> take() {
    const std::lock_guard lock(mutex);
    cancelled = true;
    return std::exchange(slots, {});
  }
  // False: cancelled already.
  bool add(const std::shared_ptr<Slot>& slot) {
    const std::lock_guard lock(mutex);
    if (!cancelled) slots.push_back(slot);
    return !cancelled;
  }
  void remove(const std::shared_ptr<Slot>& slot) {
    const std::lock_guard lock(mutex);
    std::erase(slots, slot);
  }
};

Cancellation::Cancellation() : state_(std::make_shared<State>()) {}

void Cancellation::cancel() const {
  for (const auto& slot : state_->take()) slot->run_once();
}

bool Cancellation::cancelled() const { return state_->cancelled; }

Cancellation::Attachment::Attachment(const Cancellation& cancellation,
                                     std::function<void()> on_cancel)
    : slot_(std::make_shared<Slot>()) {
  slot_->on_cancel = std::move(on_cancel);
  slot_->state = cancellation.state_;
  if (!cancellation.state_->add(slot_)) slot_->run_once();
}

Cancellation::Attachment::~Attachment() {
  if (const auto state = slot_->state.lock()) state->remove(slot_);
  const std::lock_guard lock(slot_->running);
  slot_->on_cancel = nullptr;
}

}  // namespace proxima::net
