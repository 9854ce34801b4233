// SPDX-License-Identifier: Apache-2.0
#include "lab/host_kind.h"

#include "base/check.h"

namespace proxima::lab {

std::string_view to_text(HostKind kind) {
  switch (kind) {
    case HostKind::Router:
      return "router";
    case HostKind::Outside:
      return "outside";
    case HostKind::Node:
      return "node";
    case HostKind::Pod:
      return "pod";
  }
  PROXIMA_CHECK(false);
}

}  // namespace proxima::lab
