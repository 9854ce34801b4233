// SPDX-License-Identifier: Apache-2.0
#include "wire/padded_text.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <system_error>

#include "base/check.h"
#include "wire/json_scanner.h"

namespace proxima::wire {
namespace {

constexpr std::size_t kStepBytes = 4 * 1024 * 1024;

std::string system_message(int error) { return std::generic_category().message(error); }

// The size of a regular file; 0 when it cannot be known.
std::size_t expected_size(int descriptor) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return 0;
  return static_cast<std::size_t>(std::max<off_t>(status.st_size, 0));
}

// Half of the time of reading a large file is taken by its pages being mapped one by one.
void ask_for_large_pages(char* bytes, std::size_t size) {
  constexpr std::uintptr_t kLargePage = 2 * 1024 * 1024;
  const auto address = reinterpret_cast<std::uintptr_t>(bytes);
  const std::uintptr_t begin = (address + kLargePage - 1) / kLargePage * kLargePage;
  const std::uintptr_t end = (address + size) / kLargePage * kLargePage;
  if (begin < end) madvise(bytes + (begin - address), end - begin, MADV_HUGEPAGE);
}

}  // namespace

PaddedText::PaddedText(std::string_view text) {
  PROXIMA_CHECK(reserve(text.size()));
  if (!text.empty()) std::memcpy(bytes_.get(), text.data(), text.size());
  size_ = text.size();
  std::memset(bytes_.get() + size_, 0, kScanPadding);
}

// realloc moves large blocks by remapping them: growing costs no second copy of the text.
bool PaddedText::reserve(std::size_t bytes) {
  if (bytes_ != nullptr && bytes <= capacity_) return true;
  void* grown = std::realloc(bytes_.get(), bytes + kScanPadding);
  if (grown == nullptr) return false;
  static_cast<void>(bytes_.release());
  bytes_.reset(static_cast<char*>(grown));
  capacity_ = bytes;
  ask_for_large_pages(bytes_.get(), bytes);
  return true;
}

Result<PaddedText> PaddedText::read(int descriptor, const Progress& progress) {
  PaddedText whole;
  const std::size_t expected = expected_size(descriptor);
  if (!whole.reserve(expected + 1)) return Error{ErrorCode::Denied, "not enough memory"};
  while (true) {
    if (whole.size_ == whole.capacity_ &&
        !whole.reserve(std::max(kStepBytes, whole.capacity_ + whole.capacity_ / 2)))
      return Error{ErrorCode::Denied, "not enough memory"};
    const std::size_t wanted = std::min(kStepBytes, whole.capacity_ - whole.size_);
    const ssize_t got = ::read(descriptor, whole.bytes_.get() + whole.size_, wanted);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return Error{ErrorCode::Denied, system_message(errno)};
    if (got == 0) break;
    whole.size_ += static_cast<std::size_t>(got);
    if (progress) progress(whole.size_);
  }
  std::memset(whole.bytes_.get() + whole.size_, 0, kScanPadding);
  return whole;
}

}  // namespace proxima::wire
