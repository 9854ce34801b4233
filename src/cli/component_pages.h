// SPDX-License-Identifier: Apache-2.0
// /flagz and /statusz as Kubernetes' components serve them since 1.36: text for people, and for who
// asks for the kind by its name (";as=Flagz;v=v1beta1;g=config.k8s.io") JSON or YAML. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/timestamp.h"
#include "net/http_message.h"

namespace proxima::cli {

// Flags by their names, without dashes, and what they are.
using FlagValues = std::map<std::string, std::string>;

// The value of one whose name calls it a token, a password, a secret or a private key is not told.
net::HttpResponse answer_flagz(const net::HttpRequest& request, const std::string& component,
                               const FlagValues& flags);

struct ComponentStatus {
  std::string component;
  std::string binary_version;
  std::string emulation_version;  // whose behaviour it shows: "1.36"
  WallTime started;
  std::vector<std::string> paths;  // of the same server; only where they begin is told
};
net::HttpResponse answer_statusz(const net::HttpRequest& request, const ComponentStatus& status,
                                 WallTime now);

}  // namespace proxima::cli
