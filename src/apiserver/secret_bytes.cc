// SPDX-License-Identifier: Apache-2.0
#include "apiserver/secret_bytes.h"

#include <sys/random.h>

#include <cerrno>
#include <cstring>

#include "apiserver/base64_url.h"
#include "base/check.h"

namespace proxima::apiserver {

std::string secret_bytes(std::size_t count) {
  std::string out(count, '\0');
  std::size_t done = 0;
  while (done < count) {
    const ssize_t got = ::getrandom(out.data() + done, count - done, 0);
    PROXIMA_CHECK(got >= 0 || errno == EINTR);
    if (got > 0) done += static_cast<std::size_t>(got);
  }
  return out;
}

std::uint64_t secret_seed() {
  const std::string bytes = secret_bytes(sizeof(std::uint64_t));
  std::uint64_t seed = 0;
  std::memcpy(&seed, bytes.data(), sizeof(seed));
  return seed;
}

std::string make_token() { return base64_url_encode(secret_bytes(32)); }

}  // namespace proxima::apiserver
