// SPDX-License-Identifier: Apache-2.0
#include "dataplane/nft_model.h"

namespace proxima::dataplane {

std::size_t nft_width(NftType type, IpFamily family) {
  return type == NftType::Address && family == IpFamily::V6 ? 16 : 4;
}

std::size_t nft_width(const std::vector<NftType>& parts, IpFamily family) {
  std::size_t width = 0;
  for (const NftType part : parts) width += nft_width(part, family);
  return width;
}

}  // namespace proxima::dataplane
