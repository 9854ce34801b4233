// SPDX-License-Identifier: Apache-2.0
// A response is read the same way however it is cut, within its limits; the first bit says whether
// it answers HEAD.
#include "http_message_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto message = (data[0] & 1U) != 0 ? proxima::net::Message::ResponseWithoutBody
                                           : proxima::net::Message::Response;
  proxima::fuzz::check_message(message, data + 1, size - 1);
  return 0;
}
