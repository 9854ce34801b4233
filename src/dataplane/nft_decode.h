// SPDX-License-Identifier: Apache-2.0
// Chains, sets and elements as a kernel tells them, back as values of the model. Pure.
#pragma once

#include <string_view>
#include <vector>

#include "dataplane/nft_model.h"

namespace proxima::dataplane {

// Each takes the attributes of one message.

// Without rules. Of a base chain with a policy or a type that the model has no word for, the first
// rule is an NftUnknown, so that the chain equals none of ours; adding ours again sets the policy.
NftChain decode_chain(std::string_view attributes);

// A set of a type or a kind that is not the model's has no key or no data, as no set of ours.
NftSet decode_set(std::string_view attributes, IpFamily family);
// Sets that belong to a rule and go with it.
bool is_anonymous_set(std::string_view attributes);

// All that are in the message. One that the model has no words for has an empty key.
void decode_elements(std::string_view attributes, std::vector<NftElement>& into);

}  // namespace proxima::dataplane
