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

// An action returns when it is done: starting a node or ten Pods takes its time.
inline constexpr net::Deadlines kLabDeadlines = {.connect = std::chrono::seconds(5),
                                                 .answer = std::chrono::seconds(60),
                                                 .idle = std::chrono::seconds(30),
                                                 .total = std::chrono::seconds(90)};

class LabClient {
 public:
  static Result<LabClient> create(const RunFile& run,
                                  const net::Deadlines& deadlines = kLabDeadlines);

  // The document of /api/state.
  Result<std::string> state() const;
  // An error is the lab's own sentence.
  Status post(const LabCall& call) const;

 private:
  LabClient(std::unique_ptr<net::HttpClient> client, std::string token,
            const net::Deadlines& deadlines)
      : client_(std::move(client)), token_(std::move(token)), deadlines_(deadlines) {}
  Result<std::string> fetch(net::HttpRequest request) const;

  std::unique_ptr<net::HttpClient> client_;
  std::string token_;
  net::Deadlines deadlines_;
};

}  // namespace proxima::cli
