// SPDX-License-Identifier: Apache-2.0
// From what is in a kernel's table to what should be there: what an earlier process has written is
// recognised and kept, and the difference becomes a transaction.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "dataplane/nft_table.h"
#include "proxy/nft_renderer.h"

namespace proxima::proxy {

enum class NftFound : std::uint8_t {
  Nothing,
  NotLive,  // a table that no packet meets: a start that was not finished
  Foreign,  // another layout's, or something else of that name
  Ours,
};
// `content`: none when there is no table.
NftFound recognise(const std::optional<dataplane::NftTableContent>& content,
                   const NftOptions& options);

// Numbers and slots of ports as they are in a table of ours.
NftMemory recall(const dataplane::NftTableContent& content, const RouteTable& table);

using EmitTransaction = std::function<Status(const dataplane::NftTransaction&)>;

// All of it anew. Where packets meet what is there, it is replaced in one transaction; otherwise in
// several of about `elements` each, and packets meet it with the last.
Status load_nft_table(const NftRenderer& renderer, NftFound found, std::size_t elements,
                      const EmitTransaction& emit);

struct NftDifference {
  dataplane::NftTransaction transaction;
  std::size_t count = 0;  // chains, sets and elements that are not as they should be
};
// From a table of ours to what the renderer believes. Learned elements do not count.
NftDifference diff_nft_table(const NftRenderer& renderer, dataplane::NftTableContent content);

}  // namespace proxima::proxy
