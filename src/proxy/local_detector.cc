// SPDX-License-Identifier: Apache-2.0
#include "proxy/local_detector.h"

namespace proxima::proxy {

bool LocalDetector::is_pod(const IpAddress& source, std::string_view input_interface) const {
  switch (by) {
    case By::SourceRange:
      return range.contains(source);
    case By::Interface:
      return input_interface == interface;
    case By::InterfacePrefix:
      return input_interface.starts_with(interface);
  }
  return false;
}

}  // namespace proxima::proxy
