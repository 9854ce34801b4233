// SPDX-License-Identifier: Apache-2.0
// Where the node proxy tells people of what happens to objects. Never waits.
#pragma once

#include <functional>
#include <string>

#include "kube/event.h"

namespace proxima::proxy {

struct News {
  kube::ObjectReference about;
  kube::EventType type = kube::EventType::Normal;
  std::string reason;
  std::string message;
};
using EventSink = std::function<void(News)>;

}  // namespace proxima::proxy
