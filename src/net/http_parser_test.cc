// SPDX-License-Identifier: Apache-2.0
// Every row is read whole and cut in two at every byte, and must give the same both ways.
#include "net/http_parser.h"

#include <gtest/gtest.h>

#include <array>

#include "net/input_buffer.h"

namespace proxima::net {
namespace {

std::string_view name_of(ParseFailure failure) {
  static constexpr std::array<std::string_view, 5> kNames = {
      "malformed", "header too long", "body too long", "unsupported", "cut off"};
  return kNames[static_cast<std::size_t>(failure)];
}

std::string shown(const HttpHead& head) {
  std::string text =
      head.method.empty() ? std::to_string(head.status) : head.method + " " + head.target;
  text += " 1." + std::to_string(head.minor_version) + (head.keep_alive ? " keep" : " close");
  for (const HttpHeader& it : head.headers.all()) {
    if (it.name != "Host") text += " " + it.name + "=" + it.value;
  }
  return text;
}

constexpr ParserLimits kLimits{.header_bytes = 200, .body_bytes = 20};

// "GET / 1.1 keep|body|what is left over", or why it is refused.
std::string parsed(Message message, const std::vector<std::string_view>& pieces, bool end) {
  HttpParser parser(message, kLimits);
  InputBuffer input;
  std::string body;
  for (const std::string_view piece : pieces) {
    const auto room = input.prepare(piece.size());
    std::copy(piece.begin(), piece.end(), room.begin());
    input.commit(piece.size());
    while (!parser.complete()) {
      auto step = parser.put(input.view());
      if (!step) return std::string(name_of(step.error().failure));
      body += step->body;
      input.consume(step->consumed);
      if (step->need_more) break;
    }
  }
  if (end && !parser.complete()) {
    if (auto ended = parser.put_end(); !ended) return std::string(name_of(ended.error().failure));
  }
  if (!parser.complete()) return "unfinished";
  return shown(parser.head()) + "|" + body + "|" + std::string(input.view());
}

struct ParserRow {
  const char* name;
  Message message;
  std::string text;
  std::string expected;
  bool end = false;  // the connection is closed after it
};

void check(const ParserRow& row) {
  EXPECT_EQ(parsed(row.message, {row.text}, row.end), row.expected) << row.name;
  for (std::size_t cut = 1; cut < row.text.size(); ++cut) {
    const std::string_view text = row.text;
    EXPECT_EQ(parsed(row.message, {text.substr(0, cut), text.substr(cut)}, row.end), row.expected)
        << row.name << ", cut after " << cut;
  }
  std::vector<std::string_view> bytes;
  for (const char& byte : row.text) bytes.emplace_back(&byte, 1);
  EXPECT_EQ(parsed(row.message, bytes, row.end), row.expected) << row.name << ", byte by byte";
}

const std::string kGet = "GET / HTTP/1.1\r\nHost: a\r\n";
const std::string kPost = "POST /p HTTP/1.1\r\nHost: a\r\n";
const std::string kOk = "HTTP/1.1 200 OK\r\n";

TEST(HttpParser, ReadsMessages) {
  constexpr auto kRequest = Message::Request;
  constexpr auto kResponse = Message::Response;
  const ParserRow rows[] = {
      {"a request without a body", kRequest, kGet + "\r\n", "GET / 1.1 keep||"},
      {"what follows is left", kRequest, kGet + "\r\nGET /2", "GET / 1.1 keep||GET /2"},
      {"any method", kRequest, "FOO /x?y=%20 HTTP/1.1\r\nHost: a\r\n\r\n",
       "FOO /x?y=%20 1.1 keep||"},
      {"a body with a length", kRequest, kPost + "Content-Length: 5\r\n\r\nhello!",
       "POST /p 1.1 keep Content-Length=5|hello|!"},
      {"a length of nothing", kRequest, kPost + "Content-Length: 0\r\n\r\n!",
       "POST /p 1.1 keep Content-Length=0||!"},
      {"the same length twice", kRequest, kPost + "Content-Length: 1\r\nContent-Length: 1\r\n\r\nx",
       "POST /p 1.1 keep Content-Length=1 Content-Length=1|x|"},
      {"chunks", kRequest,
       kPost + "Transfer-Encoding: chunked\r\n\r\n3\r\nabc\r\nA\r\n0123456789\r\n0\r\n\r\nnext",
       "POST /p 1.1 keep Transfer-Encoding=chunked|abc0123456789|next"},
      {"chunks with extensions, zeros and a trailer", kRequest,
       kPost + "Transfer-Encoding: Chunked\r\n\r\n0003;a=b;c=\"d\"\r\nabc\r\n0\r\nX: y\r\n\r\n",
       "POST /p 1.1 keep Transfer-Encoding=Chunked|abc|"},
      {"close", kRequest, kGet + "Connection: close\r\n\r\n", "GET / 1.1 close Connection=close||"},
      {"HTTP/1.0", kRequest, "GET / HTTP/1.0\r\n\r\n", "GET / 1.0 close||"},
      {"HTTP/1.0 that wants to stay", kRequest, "GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n",
       "GET / 1.0 keep Connection=keep-alive||"},
      {"values without the space round them", kRequest, kGet + "X:  \t y \t\r\nZ:\r\n\r\n",
       "GET / 1.1 keep X=y Z=||"},
      {"a response", kResponse, kOk + "Content-Length: 2\r\n\r\nhi",
       "200 1.1 keep Content-Length=2|hi|"},
      {"a response without a reason", kResponse, "HTTP/1.1 404 \r\nContent-Length: 0\r\n\r\n",
       "404 1.1 keep Content-Length=0||"},
      {"a response in chunks", kResponse,
       kOk + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n0\r\n\r\n",
       "200 1.1 keep Transfer-Encoding=chunked|hi|"},
      {"a response until the end", kResponse, kOk + "\r\nhello", "200 1.1 close|hello|", true},
      {"an empty response until the end", kResponse, kOk + "\r\n", "200 1.1 close||", true},
      {"no content", kResponse, "HTTP/1.1 204 No Content\r\n\r\nx", "204 1.1 keep||x"},
      {"not modified, with a length", kResponse, "HTTP/1.1 304 X\r\nContent-Length: 5\r\n\r\nx",
       "304 1.1 keep Content-Length=5||x"},
      {"continue", kResponse, "HTTP/1.1 100 Continue\r\n\r\nHTTP", "100 1.1 keep||HTTP"},
      {"an answer to HEAD", Message::ResponseWithoutBody, kOk + "Content-Length: 5\r\n\r\nx",
       "200 1.1 keep Content-Length=5||x"},
      {"a body of the largest size", kRequest,
       kPost + "Content-Length: 20\r\n\r\n01234567890123456789",
       "POST /p 1.1 keep Content-Length=20|01234567890123456789|"},
  };
  for (const ParserRow& row : rows) check(row);
}

TEST(HttpParser, RefusesWhatIsNotHttpOrTooLong) {
  constexpr auto kRequest = Message::Request;
  constexpr auto kResponse = Message::Response;
  const std::string chunked = kPost + "Transfer-Encoding: chunked\r\n\r\n";
  const ParserRow rows[] = {
      {"garbage", kRequest, std::string("\x16\x03\x01\x02 garbage\r\n\r\n"), "malformed"},
      {"HTTP/2", kRequest, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", "malformed"},
      {"no version", kRequest, "GET /\r\n\r\n", "malformed"},
      {"a line feed alone", kRequest, "GET / HTTP/1.1\nHost: a\n\n\r\n\r\n", "malformed"},
      {"a space before the colon", kRequest, kGet + "X : y\r\n\r\n", "malformed"},
      {"a header without a colon", kRequest, kGet + "nonsense\r\n\r\n", "malformed"},
      {"a control character", kRequest,
       kGet + "X: a\x01"
              "b\r\n\r\n",
       "malformed"},
      {"no host", kRequest, "GET / HTTP/1.1\r\n\r\n", "malformed"},
      {"two hosts", kRequest, kGet + "Host: b\r\n\r\n", "malformed"},
      {"a negative length", kRequest, kPost + "Content-Length: -1\r\n\r\n", "malformed"},
      {"a length with a plus", kRequest, kPost + "Content-Length: +1\r\n\r\nx", "malformed"},
      {"a huge length", kRequest, kPost + "Content-Length: 99999999999999999999\r\n\r\n",
       "malformed"},
      {"two lengths", kRequest, kPost + "Content-Length: 1\r\nContent-Length: 2\r\n\r\nxx",
       "malformed"},
      {"length and chunks", kRequest,
       kPost + "Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "malformed"},
      {"chunks and length", kRequest,
       kPost + "Transfer-Encoding: chunked\r\nContent-Length: 3\r\n\r\n0\r\n\r\n", "malformed"},
      {"gzip as a transfer coding", kRequest, kPost + "Transfer-Encoding: gzip\r\n\r\n",
       "unsupported"},
      {"gzip before chunked", kRequest, kPost + "Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n",
       "unsupported"},
      {"a coding that is hidden", kRequest, kPost + "Transfer-Encoding: xchunked\r\n\r\n",
       "unsupported"},
      {"chunked in HTTP/1.0", kRequest,
       "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", "unsupported"},
      {"a bad chunk size", kRequest, chunked + "xyz\r\nabc\r\n", "malformed"},
      {"a chunk size that is too large for numbers", kRequest,
       chunked + "fffffffffffffffff\r\nabc\r\n", "malformed"},
      {"a chunk that does not end", kRequest, chunked + "3\r\nabcd\r\n0\r\n\r\n", "malformed"},
      {"a header line that is too long", kRequest,
       kGet + "X: " + std::string(200, 'x') + "\r\n\r\n", "header too long"},
      {"a target that is too long", kRequest, "GET /" + std::string(200, 'x') + " HTTP/1.1\r\n",
       "header too long"},
      {"many short headers", kRequest,
       kGet +
           [] {
             std::string many;
             for (int i = 0; i < 40; ++i) many += "A: b\r\n";
             return many;
           }() +
           "\r\n",
       "header too long"},
      {"endless chunk extensions", kRequest, chunked + "1;" + std::string(300, 'x'),
       "header too long"},
      {"a body that is too long", kRequest, kPost + "Content-Length: 21\r\n\r\n", "body too long"},
      {"chunks that are too long", kRequest,
       chunked + "a\r\n0123456789\r\na\r\n0123456789\r\n1\r\nx\r\n0\r\n\r\n", "body too long"},
      {"a cut head", kResponse, "HTTP/1.1 200 OK\r\nConte", "cut off", true},
      {"nothing at all", kResponse, "", "cut off", true},
      {"a cut body", kResponse, kOk + "Content-Length: 5\r\n\r\nhel", "cut off", true},
      {"a cut chunk", kResponse, kOk + "Transfer-Encoding: chunked\r\n\r\n5\r\nhel", "cut off",
       true},
      {"no last chunk", kResponse, kOk + "Transfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n", "cut off",
       true},
      {"a status of letters", kResponse, "HTTP/1.1 abc OK\r\n\r\n", "malformed"},
      {"another protocol", kResponse, "SSH-2.0-OpenSSH_9.2\r\n\r\n", "malformed"},
  };
  for (const ParserRow& row : rows) check(row);
}

}  // namespace
}  // namespace proxima::net
