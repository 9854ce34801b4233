// SPDX-License-Identifier: Apache-2.0
// Rules and values as a kernel tells them, back as values of the model. Pure. What it told us
// earlier comes out equal to what was sent; what has no words in the model comes out as NftUnknown.
#pragma once

#include <optional>
#include <string_view>

#include "dataplane/nft_model.h"

namespace proxima::dataplane {

// Of the attributes of a message about a rule.
NftRule decode_rule(std::string_view attributes, IpFamily family);

// Of what encode_value() and encode_verdict() wrap.
std::optional<NftBytes> decode_value(std::string_view data);
std::optional<NftVerdict> decode_verdict(std::string_view data);

}  // namespace proxima::dataplane
