// SPDX-License-Identifier: Apache-2.0
// A transaction as the batch of netlink messages that a kernel carries out all or nothing. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dataplane/nft_model.h"

namespace proxima::dataplane {

struct NftBatch {
  // Which part of the transaction a message carries; a long list of elements takes several.
  struct Message {
    std::size_t at = 0;             // in `bytes`
    std::size_t operation = 0;      // in the transaction
    std::size_t first_element = 0;  // of the operation's elements
  };
  std::string bytes;
  std::vector<Message> messages;  // the message with the sequence number n is at n - 1
};

// The messages that begin and end the batch have no operation; the one that begins it is 0.
inline constexpr std::uint32_t kBatchBegin = 0;

// The last message of an operation asks for an answer. With `generation`, a kernel refuses the
// batch when anything changed since that generation of its rules.
NftBatch encode_transaction(const NftTransaction& transaction,
                            std::optional<std::uint32_t> generation = std::nullopt);

// Which element of the operation begins at or before `offset` bytes into the message, as kernels
// tell where something is wrong. Nothing when the message has no elements there.
std::optional<std::size_t> element_at(const NftBatch& batch, const NftBatch::Message& message,
                                      std::size_t offset);

}  // namespace proxima::dataplane
