// SPDX-License-Identifier: Apache-2.0
#include "net/inflate.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "base/check.h"

namespace proxima::net {

namespace {

constexpr std::size_t kOutputBytes = 256U << 10U;
constexpr int kGzipOrZlib = 15 + 32;  // the largest window; the format is read from the header
constexpr int kGzip = 15 + 16;

// zlib's input is not const, and it does not write to it.
Bytef* bytes_of(std::string_view text) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
}

uInt clamp_size(std::size_t size) {
  return static_cast<uInt>(std::min<std::size_t>(size, std::numeric_limits<uInt>::max()));
}

}  // namespace

struct Inflater::State {
  z_stream stream{};
  std::vector<char> output = std::vector<char>(kOutputBytes);
  bool at_end = false;  // of a member; another may follow
};

Inflater::Inflater() : state_(std::make_unique<State>()) {
  PROXIMA_CHECK(inflateInit2(&state_->stream, kGzipOrZlib) == Z_OK);
}
Inflater::~Inflater() { inflateEnd(&state_->stream); }

Result<Inflater::Piece> Inflater::feed(std::string_view input) {
  z_stream& stream = state_->stream;
  if (state_->at_end && !input.empty()) {
    inflateReset(&stream);
    state_->at_end = false;
  }
  stream.next_in = bytes_of(input);
  stream.avail_in = clamp_size(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(state_->output.data());
  stream.avail_out = kOutputBytes;
  const uInt offered = stream.avail_in;
  const int code = state_->at_end ? Z_BUF_ERROR : inflate(&stream, Z_NO_FLUSH);
  if (code != Z_OK && code != Z_STREAM_END && code != Z_BUF_ERROR) {
    return Error{ErrorCode::Retry, "the compressed body is damaged"};
  }
  state_->at_end |= code == Z_STREAM_END;
  return Piece{offered - stream.avail_in, {state_->output.data(), kOutputBytes - stream.avail_out}};
}

bool Inflater::complete() const { return state_->at_end; }

std::string gzip(std::string_view text) {
  z_stream stream{};
  constexpr int kMemoryLevel = 8;  // zlib's default
  PROXIMA_CHECK(deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, kGzip, kMemoryLevel,
                             Z_DEFAULT_STRATEGY) == Z_OK);
  PROXIMA_CHECK(text.size() <= std::numeric_limits<uInt>::max() / 2);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = bytes_of(text);
  stream.avail_in = clamp_size(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = clamp_size(packed.size());
  PROXIMA_CHECK(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  packed.resize(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

}  // namespace proxima::net
