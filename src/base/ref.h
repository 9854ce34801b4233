// SPDX-License-Identifier: Apache-2.0
// Shared ownership of values that nobody changes any more, in eight bytes and four: what a cache
// with hundreds of thousands of small values can afford. Unlike std::shared_ptr it can say for sure
// that nobody else holds a value.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace proxima {

// What a Ref can hold derives from this. A copy is a value of its own: nobody holds it yet.
class RefCounted {
 public:
  RefCounted() = default;
  RefCounted(const RefCounted&) {}                            // NOLINT: the count stays behind
  RefCounted& operator=(const RefCounted&) { return *this; }  // NOLINT: the same
  ~RefCounted() = default;

  void retain() const { count_.fetch_add(1, std::memory_order_relaxed); }
  // True: that was the last one.
  bool release() const { return count_.fetch_sub(1, std::memory_order_acq_rel) == 1; }
  // Whoever holds the only reference sees everything that former holders did.
  bool is_unique() const { return count_.load(std::memory_order_acquire) == 1; }

 private:
  mutable std::atomic<std::uint32_t> count_{0};
};

// Null or a shared value; copies may go to other threads.
template <class T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(T* value) : value_(value) {
    if (value_ != nullptr) value_->retain();
  }
  Ref(const Ref& other) : Ref(other.value_) {}
  Ref(Ref&& other) noexcept : value_(std::exchange(other.value_, nullptr)) {}
  // A value that is still being made becomes one that is shared.
  template <class U>
  Ref(const Ref<U>& other) : Ref(other.get()) {}  // NOLINT: implicit, like any pointer's
  ~Ref() {
    if (value_ != nullptr && value_->release()) delete value_;
  }
  Ref& operator=(Ref other) noexcept {
    std::swap(value_, other.value_);
    return *this;
  }

  T* get() const { return value_; }
  T& operator*() const { return *value_; }
  T* operator->() const { return value_; }
  explicit operator bool() const { return value_ != nullptr; }
  bool is_unique() const { return value_ != nullptr && value_->is_unique(); }
  friend bool operator==(const Ref& a, const Ref& b) { return a.value_ == b.value_; }

 private:
  T* value_ = nullptr;
};

template <class T, class... Arguments>
Ref<T> make_ref(Arguments&&... arguments) {
  return Ref<T>(new T(std::forward<Arguments>(arguments)...));
}

}  // namespace proxima
