// SPDX-License-Identifier: Apache-2.0
// What comes by netlink is read without harm; a rule that is understood says the same when it is
// written and read again, and so do elements.
#include <algorithm>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "base/check.h"
#include "dataplane/conntrack_message.h"
#include "dataplane/netlink_reader.h"
#include "dataplane/nft_decode.h"
#include "dataplane/nft_decode_rule.h"
#include "dataplane/nft_encode.h"

namespace {

using namespace proxima;
using namespace proxima::dataplane;

// The attributes of the only operation of a transaction, written and taken apart again.
template <class Check>
void write_and_read(IpFamily family, NftOperation operation, Check check) {
  const NftBatch batch =
      encode_transaction({.family = family, .table = "t", .operations = {std::move(operation)}});
  PROXIMA_CHECK(batch.messages.size() == 1);
  std::string_view bytes = std::string_view(batch.bytes).substr(batch.messages[0].at);
  const auto message = next_message(bytes);
  PROXIMA_CHECK(message.has_value());
  check(attributes_of(*message));
}

bool is_understood(const NftRule& rule) {
  for (const NftExpression& step : rule.steps) {
    if (std::holds_alternative<NftUnknown>(step)) return false;
  }
  return rule.comment.size() <= 127;
}

void check_rule(std::string_view attributes, IpFamily family) {
  const NftRule rule = decode_rule(attributes, family);
  if (!is_understood(rule)) return;
  write_and_read(family, NftAddRule{"c", rule}, [&](std::string_view again) {
    PROXIMA_CHECK(decode_rule(again, family) == rule);
  });
}

void check_elements(std::string_view attributes) {
  std::vector<NftElement> elements;
  decode_elements(attributes, elements);
  if (elements.empty()) return;
  elements.resize(1);
  write_and_read(IpFamily::V4, NftAddElements{"s", elements}, [&](std::string_view again) {
    std::vector<NftElement> read;
    decode_elements(again, read);
    PROXIMA_CHECK(read == elements);
  });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  // Nests within nests repeat their content: an input is no longer than one nest may be.
  std::string_view bytes(reinterpret_cast<const char*>(data), std::min<std::size_t>(size, 16384));
  while (const auto message = next_message(bytes)) {
    const std::string_view attributes = attributes_of(*message);
    for (const IpFamily family : {IpFamily::V4, IpFamily::V6}) {
      check_rule(attributes, family);
      static_cast<void>(decode_set(attributes, family));
    }
    static_cast<void>(decode_chain(attributes));
    check_elements(attributes);
    static_cast<void>(decode_conntrack(*message));
  }
  return 0;
}
