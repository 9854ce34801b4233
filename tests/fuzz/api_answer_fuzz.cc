// SPDX-License-Identifier: Apache-2.0
// Whatever a server or a plugin answers, it is read or refused.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/timestamp.h"
#include "kube/api.h"
#include "kube/base64.h"
#include "kube/event.h"
#include "kube/exec_credentials.h"
#include "kube/lease_record.h"
#include "kube/warning_headers.h"

namespace {

namespace kube = proxima::kube;

void read_failure(std::string_view text) {
  for (const int status : {400, 409, 429, 503}) {
    const kube::ApiResponse response{
        status, {{"Retry-After", std::string(text)}}, std::string(text)};
    PROXIMA_CHECK(!kube::to_error(kube::failure_of(response)).message.empty());
  }
}

void read_lease(std::string_view text) {
  const auto record = kube::parse_lease(text);
  if (!record) return;
  // What is written is what is read.
  PROXIMA_CHECK(kube::parse_lease(kube::with_record(text, *record)).value() == *record);
}

void read_credentials(std::string_view text) {
  const auto answer = kube::parse_exec_answer(text, "client.authentication.k8s.io/v1");
  if (!answer) return;
  const kube::Credentials& credentials = answer->credentials;
  PROXIMA_CHECK(!credentials.authorization.empty() || !credentials.key_pem.empty());
  PROXIMA_CHECK(credentials.authorization.find('\n') == std::string::npos);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  read_failure(text);
  read_lease(text);
  read_credentials(text);
  for (const std::string& warning : kube::parse_warning_header(text))
    PROXIMA_CHECK(!warning.empty() && warning.find('\n') == std::string::npos);
  (void)kube::with_answer({}, text);
  PROXIMA_CHECK(kube::base64_decode(kube::base64_encode(text)) == text);
  if (const auto time = proxima::parse_time(text)) {
    const auto again = proxima::parse_time(proxima::micro_time_text(*time));
    PROXIMA_CHECK(again && *again <= *time);
  }
  return 0;
}
