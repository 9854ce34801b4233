// SPDX-License-Identifier: Apache-2.0
#include "traffic/descriptor.h"

#include <unistd.h>

namespace proxima::traffic {

void Descriptor::close() {
  if (number_ >= 0) ::close(std::exchange(number_, -1));
}

}  // namespace proxima::traffic
