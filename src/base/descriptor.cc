// SPDX-License-Identifier: Apache-2.0
#include "base/descriptor.h"

#include <unistd.h>

namespace proxima {

void Descriptor::close() {
  if (number_ >= 0) ::close(std::exchange(number_, -1));
}

}  // namespace proxima
