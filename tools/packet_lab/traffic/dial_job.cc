// SPDX-License-Identifier: Apache-2.0
#include "packet_lab/traffic/dial_job.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <sstream>

namespace proxima::traffic {
namespace {

template <class T>
bool read(const std::string& text, T& value) {
  const auto end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, value);
  return error == std::errc() && at == end;
}

bool set(DialJob& job, const std::string& key, const std::string& value) {
  if (key == "id") return job.id = value, true;
  if (key == "to") return job.to = value, true;
  if (key == "proto") return job.udp = value == "udp", value == "udp" || value == "tcp";
  if (key == "port") return read(value, job.port);
  if (key == "count") return read(value, job.count);
  if (key == "timeout_ms") return read(value, job.timeout_ms);
  if (key == "window") return read(value, job.window) && job.window > 0;
  if (key == "rate") return read(value, job.rate);
  if (key == "exchanges") return read(value, job.exchanges);
  if (key == "gap_ms") return read(value, job.gap_ms);
  if (key == "resend_ms") return read(value, job.resend_ms);
  if (key == "give") return read(value, job.give);
  return false;
}

// Names and kinds are plain words: nothing needs escaping.
std::string object_of(const std::map<std::string, std::uint64_t>& counts) {
  std::string text;
  for (const auto& [key, count] : counts)
    text += (text.empty() ? "\"" : ",\"") + key + "\":" + std::to_string(count);
  return "{" + text + "}";
}

std::string quantile(const std::vector<std::uint32_t>& sorted, double part) {
  if (sorted.empty()) return "0";
  const auto last = static_cast<double>(sorted.size() - 1);
  return std::to_string(sorted[static_cast<std::size_t>(part * last)]);
}

}  // namespace

std::optional<DialJob> parse_job(const std::string& line) {
  DialJob job;
  std::istringstream words(line);
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    if (equals == std::string::npos) return std::nullopt;
    if (!set(job, word.substr(0, equals), word.substr(equals + 1))) return std::nullopt;
  }
  if (job.to.empty() || job.port == 0) return std::nullopt;
  return job;
}

std::string to_json(const DialJob& job, DialResult result) {
  std::vector<std::uint32_t>& times = result.answer_us;
  std::sort(times.begin(), times.end());
  return "{\"id\":\"" + job.id + "\",\"seen\":" + object_of(result.seen) +
         ",\"failed\":" + object_of(result.failed) +
         ",\"exchanges\":" + std::to_string(result.exchanges) +
         ",\"bytes\":" + std::to_string(result.bytes) +
         ",\"took_us\":" + std::to_string(result.took_us) + ",\"p50_us\":" + quantile(times, 0.5) +
         ",\"p99_us\":" + quantile(times, 0.99) + ",\"max_us\":" + quantile(times, 1) + "}";
}

std::string kind_of_error(int number) {
  switch (number) {
    case ECONNREFUSED:
      return "refused";
    case ECONNRESET:
    case EPIPE:
      return "reset";
    case EHOSTUNREACH:
    case ENETUNREACH:
      return "unreachable";
    case EACCES:
    case EPERM:
      return "prohibited";
    case ETIMEDOUT:
      return "timeout";
    case EADDRNOTAVAIL:
      return "no-port-left";
    default:
      return "error-" + std::to_string(number);
  }
}

}  // namespace proxima::traffic
