// SPDX-License-Identifier: Apache-2.0
// Who the client is, as of now: tokens and certificates change while a program runs.
#pragma once

#include <memory>
#include <string>

#include "base/clock.h"
#include "base/result.h"
#include "kube/connection.h"
#include "net/cancellation.h"

namespace proxima::kube {

// Secrets, all of them: never to be printed.
struct Credentials {
  std::string authorization;    // the header's value; empty: none
  std::string certificate_pem;  // empty: none
  std::string key_pem;

  friend bool operator==(const Credentials&, const Credentials&) = default;
};

// Safe for concurrent use.
class CredentialSource {
 public:
  virtual ~CredentialSource() = default;
  // Errors name where it was looked for. May read files or run a program, within bounds.
  virtual Result<Credentials> current(const net::Cancellation& cancellation) = 0;
  // The server did not accept them (401): the next current() looks for newer ones.
  virtual void refuse(const Credentials& refused) = 0;
};

// What `connection` says: token, token file, client certificate, user and password, or a plugin,
// which counts only when there is nothing else. `environment` is what a plugin inherits. The clock
// must outlive the source.
std::unique_ptr<CredentialSource> make_credential_source(const Connection& connection,
                                                         const Environment& environment,
                                                         Clock& clock);

}  // namespace proxima::kube
