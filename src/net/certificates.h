// SPDX-License-Identifier: Apache-2.0
// Makes the certificates of a server that has nobody to ask: its own authority, and certificates
// signed by it. ECDSA P-256.
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "base/result.h"

namespace proxima::net {

struct CertificateAndKey {
  std::string certificate_pem;
  std::string key_pem;  // a secret
};

struct CertificateRequest {
  std::string common_name;
  std::string organization;
  std::vector<std::string> names;  // DNS names and IP addresses that it is valid for
  std::chrono::hours valid_for{24 * 365};
};

Result<CertificateAndKey> make_authority(const CertificateRequest& request);
Result<CertificateAndKey> make_server_certificate(const CertificateAndKey& authority,
                                                  const CertificateRequest& request);
// When the certificate stops being valid.
Result<std::chrono::system_clock::time_point> valid_until(const std::string& certificate_pem);
// Whether `certificate` is signed by `authority` and covers every one of `names`.
bool covers(const std::string& certificate_pem, const std::string& authority_pem,
            const std::vector<std::string>& names);

}  // namespace proxima::net
