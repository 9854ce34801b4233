// SPDX-License-Identifier: Apache-2.0
// A value or the reason why there is none. Member names are those of std::expected, which g++ 12
// lacks in C++20 mode, so that it can be swapped in later.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "base/check.h"

namespace proxima {

// What the caller should do next, not what went wrong underneath.
enum class ErrorCode { Retry, Relist, Conflict, NotFound, Denied, InvalidInput, Unsupported };

struct Error {
  ErrorCode code;
  std::string
      message;  // a chain of contexts: "read dump.json: Pod a/b: spec.nodeName: not a string"

  // The same error with `context` put in front.
  Error in(std::string_view context) && {
    return {code, std::string(context) + ": " + std::move(message)};
  }
};

inline Error invalid_input(std::string message) {
  return {ErrorCode::InvalidInput, std::move(message)};
}

// E is Error almost everywhere; an API server's refusal carries more than that.
template <class T, class E = Error>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}  // NOLINT: implicit
  Result(E error) : state_(std::in_place_index<1>, std::move(error)) {}  // NOLINT: implicit

  bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }
  T& value() & {
    PROXIMA_CHECK(has_value());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    PROXIMA_CHECK(has_value());
    return std::move(*std::get_if<0>(&state_));
  }
  const T& value() const& {
    PROXIMA_CHECK(has_value());
    return *std::get_if<0>(&state_);
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }
  const E& error() const& {
    PROXIMA_CHECK(!has_value());
    return *std::get_if<1>(&state_);
  }
  E&& error() && {
    PROXIMA_CHECK(!has_value());
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  std::variant<T, E> state_;
};

struct Unit {};
using Status = Result<Unit>;

#define PROXIMA_CAT_(a, b) a##b
#define PROXIMA_CAT(a, b) PROXIMA_CAT_(a, b)
#define PROXIMA_TRY_IMPL_(tmp, decl, expr, context)    \
  auto tmp = (expr);                                   \
  if (!tmp) return std::move(tmp).error().in(context); \
  decl = std::move(tmp).value()
// Binds `decl` to the value of `expr`, or returns its error with `context` put in front.
#define PROXIMA_TRY(decl, expr, context) \
  PROXIMA_TRY_IMPL_(PROXIMA_CAT(proxima_try_, __LINE__), decl, expr, context)

}  // namespace proxima
