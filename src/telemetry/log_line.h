// SPDX-License-Identifier: Apache-2.0
// One line of the log as a value, and its two spellings: klog's text and JSON as Kubernetes'
// components write it. Pure.
#pragma once

#include <chrono>
#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace proxima::telemetry {

enum class LogFormat : std::uint8_t { Text, Json };
enum class Severity : std::uint8_t { Info, Warning, Error };

// Borrowed: a field lives as long as the call that logs it.
class LogValue {
 public:
  LogValue(std::string_view text) : value_(text) {}                      // NOLINT: implicit
  LogValue(const char* text) : value_(std::string_view(text)) {}         // NOLINT: implicit
  LogValue(const std::string& text) : value_(std::string_view(text)) {}  // NOLINT: implicit
  LogValue(bool flag) : value_(flag) {}                                  // NOLINT: implicit
  LogValue(double number) : value_(number) {}                            // NOLINT: implicit
  LogValue(std::signed_integral auto number)                             // NOLINT: implicit
      : value_(static_cast<std::int64_t>(number)) {}
  LogValue(std::unsigned_integral auto number)  // NOLINT: implicit
      : value_(static_cast<std::uint64_t>(number)) {}
  // In seconds, "1.5s".
  template <class Rep, class Period>
  LogValue(std::chrono::duration<Rep, Period> duration)  // NOLINT: implicit
      : value_(std::chrono::nanoseconds(duration)) {}

  using Alternatives = std::variant<std::string_view, bool, double, std::int64_t, std::uint64_t,
                                    std::chrono::nanoseconds>;
  const Alternatives& value() const { return value_; }

 private:
  Alternatives value_;
};

// Keys are words of the program: letters, digits, "_" and ".".
struct LogField {
  std::string_view key;
  LogValue value;
};

struct LogLine {
  Severity severity = Severity::Info;
  int verbosity = 0;
  std::chrono::system_clock::time_point time;
  std::string_view file;  // its last part is shown
  unsigned line = 0;
  std::string_view message;
  std::string_view error;  // "" for none
  std::span<const LogField> fields;
};

// With its line end, and no other: whatever is in the texts, it stays one line.
//   I1116 03:05:07.000123    1234 sync.cc:12] "Synced" service="shop/cart" endpoints=3
//   {"ts":1700000000000.123,"caller":"sync.cc:12","msg":"Synced","v":0,"service":"shop/cart"}
std::string render_line(const LogLine& line, LogFormat format, int process_id);

}  // namespace proxima::telemetry
