// SPDX-License-Identifier: Apache-2.0
// A request is read the same way however it is cut, within its limits.
#include "http_message_check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  proxima::fuzz::check_message(proxima::net::Message::Request, data, size);
  return 0;
}
