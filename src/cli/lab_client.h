// SPDX-License-Identifier: Apache-2.0
// Speaks to a running lab.
#pragma once

#include <memory>
#include <string>

#include "base/result.h"
#include "cli/lab_request.h"
#include "cli/run_place.h"
#include "net/http_client.h"

namespace proxima::cli {

class LabClient {
 public:
  static Result<LabClient> create(const RunFile& run);

  // The document of /api/state.
  Result<std::string> state() const;
  // An error is the lab's own sentence.
  Status post(const LabCall& call) const;

 private:
  LabClient(std::unique_ptr<net::HttpClient> client, std::string token)
      : client_(std::move(client)), token_(std::move(token)) {}
  Result<std::string> fetch(net::HttpRequest request) const;

  std::unique_ptr<net::HttpClient> client_;
  std::string token_;
};

}  // namespace proxima::cli
