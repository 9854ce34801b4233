// SPDX-License-Identifier: Apache-2.0
// What a client is asked to do, and what became of it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace proxima::traffic {

struct DialJob {
  std::string id;
  bool udp = false;
  std::string to;
  std::uint16_t port = 0;
  std::uint64_t count = 1;      // connections
  int timeout_ms = 1000;        // for each step of a connection
  std::uint64_t window = 8;     // connections at a time
  double rate = 0;              // begun a second; 0: as the window allows
  std::uint64_t exchanges = 0;  // lines asked and answered on a connection after the first
  int gap_ms = 0;               // before each of those
  int resend_ms = 0;            // a datagram without an answer is sent again; 0: never (UDP)
  std::uint64_t give = 0;       // bytes that each connection asks for instead (TCP)
};

// "id=ID proto=udp to=ADDRESS port=80 count=20 …"; none when a word is not understood.
std::optional<DialJob> parse_job(const std::string& line);

struct DialResult {
  std::map<std::string, std::uint64_t> seen;    // answer → connections
  std::map<std::string, std::uint64_t> failed;  // kind → connections
  std::vector<std::uint32_t> answer_us;         // from connecting to the first answer
  std::uint64_t exchanges = 0;
  std::uint64_t bytes = 0;  // of those asked for
  std::uint64_t took_us = 0;
};

// One line of JSON.
std::string to_json(const DialJob& job, DialResult result);

// "refused", "reset", "unreachable", …
std::string kind_of_error(int number);

}  // namespace proxima::traffic
