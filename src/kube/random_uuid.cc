// SPDX-License-Identifier: Apache-2.0
#include "kube/random_uuid.h"

#include "kube/config_file.h"

namespace proxima::kube {

Result<std::string> random_uuid() {
  PROXIMA_TRY(std::string uuid, read_config_file("/proc/sys/kernel/random/uuid"), "UUID");
  uuid.erase(uuid.find_last_not_of('\n') + 1);
  return uuid;
}

}  // namespace proxima::kube
