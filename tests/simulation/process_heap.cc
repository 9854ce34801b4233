// SPDX-License-Identifier: Apache-2.0
#include "simulation/process_heap.h"

#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define PROXIMA_OTHER_ALLOCATOR 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define PROXIMA_OTHER_ALLOCATOR 1
#endif
#endif

namespace proxima::simulation {
namespace {

// Processes of earlier simulations have freed everything long before their account is another's.
constexpr std::uint32_t kAccounts = 1U << 16U;
constexpr std::uint32_t kWorld = 0;
std::int64_t bytes_of[kAccounts];
std::uint32_t last_account = kWorld;
std::uint32_t current_account = kWorld;

}  // namespace

ProcessHeap::ProcessHeap() {
  last_account = last_account % (kAccounts - 1) + 1;
  account_ = last_account;
  bytes_of[account_] = 0;
}

bool ProcessHeap::counts() {
#ifdef PROXIMA_OTHER_ALLOCATOR
  return false;
#else
  return true;
#endif
}

std::int64_t ProcessHeap::bytes() const { return bytes_of[account_]; }

ProcessHeap::Use::Use(const ProcessHeap& heap) { current_account = heap.account_; }
ProcessHeap::Use::~Use() { current_account = kWorld; }

#ifndef PROXIMA_OTHER_ALLOCATOR
namespace {

// Before each piece of memory.
struct alignas(__STDCPP_DEFAULT_NEW_ALIGNMENT__) Header {
  std::int64_t bytes;
  std::uint32_t account;
};

void* allocate(std::size_t bytes) {
  void* const memory = std::malloc(sizeof(Header) + bytes);
  if (memory == nullptr) throw std::bad_alloc();
  auto* const header = new (memory) Header{static_cast<std::int64_t>(bytes), current_account};
  bytes_of[header->account] += header->bytes;
  return header + 1;
}

void release(void* memory) {
  if (memory == nullptr) return;
  Header* const header = static_cast<Header*>(memory) - 1;
  bytes_of[header->account] -= header->bytes;
  std::free(header);
}

}  // namespace
#endif

}  // namespace proxima::simulation

#ifndef PROXIMA_OTHER_ALLOCATOR
// All other forms but those for greater alignment end here.
void* operator new(std::size_t bytes) { return proxima::simulation::allocate(bytes); }
void operator delete(void* memory) noexcept { proxima::simulation::release(memory); }
void operator delete(void* memory, std::size_t /*bytes*/) noexcept {
  proxima::simulation::release(memory);
}
#endif
