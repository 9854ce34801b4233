// SPDX-License-Identifier: Apache-2.0
#include "net/http_wire.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <iterator>
#include <utility>

namespace proxima::net {

namespace {

constexpr std::pair<int, std::string_view> kStatusNames[] = {
    {100, "Continue"},
    {101, "Switching Protocols"},
    {200, "OK"},
    {201, "Created"},
    {202, "Accepted"},
    {204, "No Content"},
    {301, "Moved Permanently"},
    {302, "Found"},
    {303, "See Other"},
    {304, "Not Modified"},
    {307, "Temporary Redirect"},
    {308, "Permanent Redirect"},
    {400, "Bad Request"},
    {401, "Unauthorized"},
    {403, "Forbidden"},
    {404, "Not Found"},
    {405, "Method Not Allowed"},
    {406, "Not Acceptable"},
    {407, "Proxy Authentication Required"},
    {408, "Request Timeout"},
    {409, "Conflict"},
    {410, "Gone"},
    {412, "Precondition Failed"},
    {413, "Request Entity Too Large"},
    {415, "Unsupported Media Type"},
    {417, "Expectation Failed"},
    {422, "Unprocessable Entity"},
    {429, "Too Many Requests"},
    {431, "Request Header Fields Too Large"},
    {500, "Internal Server Error"},
    {501, "Not Implemented"},
    {502, "Bad Gateway"},
    {503, "Service Unavailable"},
    {504, "Gateway Timeout"},
    {505, "HTTP Version Not Supported"},
};

constexpr std::size_t kChunkHeadBytes = 18;  // 16 hexadecimal digits and the line's end

bool is_framing(std::string_view name) {
  return same_header_name(name, "Content-Length") || same_header_name(name, "Transfer-Encoding") ||
         same_header_name(name, "Connection") || same_header_name(name, "Date") ||
         same_header_name(name, "Host");
}

void append_clean(std::string& out, std::string_view value) {
  const auto breaks = [](char byte) { return byte == '\r' || byte == '\n' || byte == '\0'; };
  std::replace_copy_if(value.begin(), value.end(), std::back_inserter(out), breaks, ' ');
}

void append_headers(std::string& out, const HttpHeaders& headers) {
  for (const HttpHeader& header : headers.all()) {
    if (is_framing(header.name)) continue;
    append_clean(out, header.name);
    out += ": ";
    append_clean(out, header.value);
    out += "\r\n";
  }
}

std::string_view trimmed(std::string_view text) {
  while (text.starts_with(' ') || text.starts_with('\t')) text.remove_prefix(1);
  while (text.ends_with(' ') || text.ends_with('\t')) text.remove_suffix(1);
  return text;
}

// "gzip;q=0.5": the name, and whether it is wanted at all.
bool is_wanted_gzip(std::string_view coding) {
  const std::size_t semicolon = std::min(coding.find(';'), coding.size());
  const std::string_view name = trimmed(coding.substr(0, semicolon));
  if (!same_header_name(name, "gzip")) return false;
  const std::string_view weight = trimmed(coding.substr(std::min(semicolon + 1, coding.size())));
  return weight.substr(0, 2) != "q=" || weight.find_first_of("123456789") != std::string_view::npos;
}

}  // namespace

std::string_view status_name(int status) {
  const auto* found = std::find_if(std::begin(kStatusNames), std::end(kStatusNames),
                                   [&](const auto& row) { return row.first == status; });
  return found == std::end(kStatusNames) ? std::string_view() : found->second;
}

bool status_has_body(int status) { return status >= 200 && status != 204 && status != 304; }

std::string http_date(std::chrono::system_clock::time_point time) {
  // By hand, because strftime() speaks the language of the locale.
  static constexpr std::array<const char*, 7> kDays = {"Sun", "Mon", "Tue", "Wed",
                                                       "Thu", "Fri", "Sat"};
  static constexpr std::array<const char*, 12> kMonths = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                                          "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  return fmt::format("{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT",
                     kDays[static_cast<std::size_t>(parts.tm_wday)], parts.tm_mday,
                     kMonths[static_cast<std::size_t>(parts.tm_mon)], parts.tm_year + 1900,
                     parts.tm_hour, parts.tm_min, parts.tm_sec);
}

void append_head(std::string& out, const HttpResponse& response, const ResponseFraming& framing) {
  fmt::format_to(std::back_inserter(out), "HTTP/1.1 {} {}\r\n", response.status,
                 status_name(response.status));
  append_headers(out, response.headers);
  fmt::format_to(std::back_inserter(out), "Date: {}\r\n",
                 http_date(std::chrono::system_clock::now()));
  if (framing.framing == Framing::Length) {
    fmt::format_to(std::back_inserter(out), "Content-Length: {}\r\n", framing.length);
  }
  if (framing.framing == Framing::Chunked) out += "Transfer-Encoding: chunked\r\n";
  if (!framing.keep_alive) out += "Connection: close\r\n";
  out += "\r\n";
}

void append_head(std::string& out, const RequestLine& line, const HttpHeaders& headers) {
  append_clean(out, line.method);
  out += ' ';
  append_clean(out, line.target);
  out += " HTTP/1.1\r\nHost: ";
  append_clean(out, line.host);
  out += "\r\n";
  append_headers(out, headers);
  const bool wants_length = line.method == "POST" || line.method == "PUT" || line.method == "PATCH";
  if (wants_length || line.body_bytes > 0) {
    fmt::format_to(std::back_inserter(out), "Content-Length: {}\r\n", line.body_bytes);
  }
  out += "\r\n";
}

std::size_t begin_chunk(std::string& out) {
  const std::size_t begin = out.size();
  out.append(kChunkHeadBytes, '0');  // leading zeros are part of the grammar
  return begin;
}

void end_chunk(std::string& out, std::size_t begin) {
  const std::size_t size = out.size() - begin - kChunkHeadBytes;
  if (size == 0) {
    out.resize(begin);
    return;
  }
  fmt::format_to(out.begin() + static_cast<std::ptrdiff_t>(begin), "{:016x}\r\n", size);
  out += "\r\n";
}

void append_last_chunk(std::string& out) { out += "0\r\n\r\n"; }

bool accepts_gzip(const HttpHeaders& headers) {
  std::string_view codings = headers.find("Accept-Encoding").value_or("");
  while (!codings.empty()) {
    const std::size_t end = std::min(codings.find(','), codings.size());
    if (is_wanted_gzip(codings.substr(0, end))) return true;
    codings.remove_prefix(std::min(end + 1, codings.size()));
  }
  return false;
}

}  // namespace proxima::net
