// SPDX-License-Identifier: Apache-2.0
// What a kernel refused, in words and with what to do next. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "dataplane/nft_encode.h"
#include "dataplane/nft_model.h"

namespace proxima::dataplane {

// `number` is an errno; `text` what the kernel adds of its own, often nothing.
Error kernel_error(int number, std::string_view text = {});

// A kernel's answer to one message of a batch.
struct NftRefusal {
  std::uint32_t sequence = 0;
  int number = 0;
  std::string text;
  std::optional<std::uint32_t> offset;  // into the message, of what is wrong
};

// The first refusal decides: those after it often follow from it. `refusals` is not empty.
Error transaction_error(const NftTransaction& transaction, const NftBatch& batch,
                        const std::vector<NftRefusal>& refusals);

}  // namespace proxima::dataplane
