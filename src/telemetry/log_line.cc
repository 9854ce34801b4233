// SPDX-License-Identifier: Apache-2.0
#include "telemetry/log_line.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "base/go_quote.h"
#include "base/json_text.h"

namespace proxima::telemetry {
namespace {

std::string_view base_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

double seconds_of(std::chrono::nanoseconds duration) {
  return std::chrono::duration<double>(duration).count();
}

struct AppendValue {
  std::string& out;
  LogFormat format;

  void operator()(std::string_view text) const {
    if (format == LogFormat::Json) return append_json_text(out, text);
    out += go_quote(text);
  }
  void operator()(bool flag) const { out += flag ? "true" : "false"; }
  void operator()(double number) const {
    // JSON has no word for infinity.
    if (!std::isfinite(number)) return (*this)(fmt::format("{}", number));
    fmt::format_to(std::back_inserter(out), "{}", number);
  }
  void operator()(std::int64_t number) const { out += std::to_string(number); }
  void operator()(std::uint64_t number) const { out += std::to_string(number); }
  void operator()(std::chrono::nanoseconds duration) const {
    (*this)(fmt::format("{}s", seconds_of(duration)));
  }
};

// "1116 03:05:07.000123", in UTC.
std::string klog_time(std::chrono::system_clock::time_point time) {
  const auto days = std::chrono::floor<std::chrono::days>(time);
  const std::chrono::year_month_day date(days);
  const std::chrono::hh_mm_ss clock(std::chrono::floor<std::chrono::microseconds>(time - days));
  return fmt::format("{:02}{:02} {:02}:{:02}:{:02}.{:06}", static_cast<unsigned>(date.month()),
                     static_cast<unsigned>(date.day()), clock.hours().count(),
                     clock.minutes().count(), clock.seconds().count(), clock.subseconds().count());
}

std::string render_text(const LogLine& line, int process_id) {
  constexpr char kLetters[] = {'I', 'W', 'E'};
  std::string out = fmt::format("{}{} {:7} {}:{}] ", kLetters[static_cast<int>(line.severity)],
                                klog_time(line.time), process_id, base_name(line.file), line.line);
  out += go_quote(line.message);
  if (!line.error.empty()) out += " err=" + go_quote(line.error);
  for (const LogField& field : line.fields) {
    out.append(" ").append(field.key).append("=");
    std::visit(AppendValue{out, LogFormat::Text}, field.value.value());
  }
  return out;
}

std::string render_json(const LogLine& line) {
  const auto microseconds =
      std::chrono::floor<std::chrono::microseconds>(line.time.time_since_epoch()).count();
  std::string out =
      fmt::format("{{\"ts\":{}.{:03},\"caller\":\"{}:{}\",\"msg\":", microseconds / 1000,
                  microseconds % 1000, base_name(line.file), line.line);
  append_json_text(out, line.message);
  // As upstream: only information has a verbosity, and of the other two one has an error.
  if (line.severity == Severity::Info)
    fmt::format_to(std::back_inserter(out), ",\"v\":{}", line.verbosity);
  if (line.severity == Severity::Warning) out += ",\"severity\":\"warning\"";
  if (!line.error.empty()) {
    out += ",\"err\":";
    append_json_text(out, line.error);
  }
  for (const LogField& field : line.fields) {
    out.append(",\"").append(field.key).append("\":");
    std::visit(AppendValue{out, LogFormat::Json}, field.value.value());
  }
  return out + '}';
}

}  // namespace

std::string render_line(const LogLine& line, LogFormat format, int process_id) {
  return (format == LogFormat::Json ? render_json(line) : render_text(line, process_id)) + '\n';
}

}  // namespace proxima::telemetry
