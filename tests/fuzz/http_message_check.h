// SPDX-License-Identifier: Apache-2.0
// A parser must give the same however its input is cut, hand out only bytes of its input, and keep
// its limits. Used for requests and for responses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <string_view>

#include "base/check.h"
#include "net/http_parser.h"
#include "net/input_buffer.h"

namespace proxima::fuzz {

struct Outcome {
  bool refused = false;
  bool complete = false;
  std::string head;
  std::string body;
  friend bool operator==(const Outcome&, const Outcome&) = default;
};

inline constexpr net::ParserLimits kLimits{.header_bytes = 512, .body_bytes = 256};

inline std::string text_of(const net::HttpHead& head) {
  std::string text = head.method + " " + head.target + " " + std::to_string(head.status) +
                     (head.keep_alive ? " keep" : " close");
  for (const net::HttpHeader& it : head.headers.all()) text += "\n" + it.name + ":" + it.value;
  return text;
}

// `step(i)` bytes are put in before the parser is asked for the i-th time.
inline Outcome parse(net::Message message, std::string_view text,
                     const std::function<std::size_t(std::size_t)>& step) {
  net::HttpParser parser(message, kLimits);
  net::InputBuffer input;
  Outcome outcome;
  for (std::size_t i = 0; !text.empty() && !parser.complete(); ++i) {
    const std::string_view piece = text.substr(0, step(i));
    text.remove_prefix(piece.size());
    std::memcpy(input.prepare(piece.size()).data(), piece.data(), piece.size());
    input.commit(piece.size());
    while (!parser.complete()) {
      const auto parsed = parser.put(input.view());
      if (!parsed) return {.refused = true};
      PROXIMA_CHECK(parsed->consumed <= input.size());
      PROXIMA_CHECK(parsed->body.empty() || (parsed->body.data() >= input.view().data() &&
                                             parsed->body.size() <= parsed->consumed));
      PROXIMA_CHECK(parsed->need_more || parsed->consumed > 0);  // or it would never end
      outcome.body += parsed->body;
      input.consume(parsed->consumed);
      if (parsed->need_more) break;
    }
  }
  PROXIMA_CHECK(outcome.body.size() <= kLimits.body_bytes);
  if (!parser.complete() && !parser.put_end()) outcome.body.clear();
  outcome.complete = parser.complete();
  if (outcome.complete) outcome.head = text_of(parser.head());
  return outcome;
}

inline void check_message(net::Message message, const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const Outcome whole = parse(message, text, [&](std::size_t) { return size; });
  const Outcome bytes = parse(message, text, [](std::size_t) { return 1; });
  // What follows a complete message may be refused only with the rest of it in sight, and a message
  // that stays incomplete may be refused later than it could be; what is accepted is the same.
  if (whole.complete && bytes.complete) PROXIMA_CHECK(whole == bytes);
  PROXIMA_CHECK(whole.complete == bytes.complete);
  if (whole.complete) PROXIMA_CHECK(whole.head.size() <= 2 * kLimits.header_bytes);
}

}  // namespace proxima::fuzz
