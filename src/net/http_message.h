// SPDX-License-Identifier: Apache-2.0
// HTTP requests and responses as values.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace proxima::net {

// Without regard to case.
bool same_header_name(std::string_view a, std::string_view b);

struct HttpHeader {
  std::string name;
  std::string value;
};

// In the order of the wire. Names are compared without regard to case.
class HttpHeaders {
 public:
  HttpHeaders() = default;
  HttpHeaders(std::initializer_list<HttpHeader> headers) : all_(headers) {}

  void add(std::string name, std::string value) {
    all_.push_back({std::move(name), std::move(value)});
  }
  // Replaces every header of that name.
  void set(std::string_view name, std::string value);
  void remove(std::string_view name);
  // The first of that name.
  std::optional<std::string_view> find(std::string_view name) const;
  const std::vector<HttpHeader>& all() const { return all_; }

 private:
  std::vector<HttpHeader> all_;
};

struct HttpRequest {
  std::string method = "GET";
  std::string target = "/";  // path and query, as they go over the wire
  HttpHeaders headers;       // Host, Content-Length and the like are the connection's business
  std::string body;
  std::string peer;  // filled by a server: the client's IP address, as far as it can see
};

struct HttpResponse {
  int status = 0;
  HttpHeaders headers;
  std::string body;
};

// "%2F" → "/"; nullopt when a percent sign is not followed by two hexadecimal digits. `plus` says
// whether "+" means a space, as it does in queries.
enum class PlusSign { Itself, Space };
std::optional<std::string> percent_decode(std::string_view text, PlusSign plus);
// Everything but letters, digits and "-._~" is escaped.
std::string percent_encode(std::string_view text);

struct QueryParameter {
  std::string name;
  std::string value;
};
// The part of a target after "?". nullopt: an escape is broken.
std::optional<std::vector<QueryParameter>> parse_query(std::string_view query);

}  // namespace proxima::net
