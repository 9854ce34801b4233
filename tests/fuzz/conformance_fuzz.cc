// SPDX-License-Identifier: Apache-2.0
// Whatever line the conformance tool gets: one line of JSON comes out, with a name and an answer or
// an error. The first byte picks the kind of question.
#include <boost/json.hpp>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "conformance/answer_line.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto names = proxima::conformance::Kind::names();
  const auto kind = proxima::conformance::Kind::parse(names[data[0] % names.size()]);
  const std::string_view line(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::string answer = kind->answer(line, {});
  PROXIMA_CHECK(answer.find('\n') == std::string::npos);
  const boost::json::value parsed = boost::json::parse(answer);
  PROXIMA_CHECK(parsed.as_object().contains("name") && parsed.as_object().size() >= 2);
  return 0;
}
