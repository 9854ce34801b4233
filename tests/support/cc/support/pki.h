// SPDX-License-Identifier: Apache-2.0
// An authority and the certificate of a server on this machine.
#pragma once

#include "net/certificates.h"
#include "net/http_server.h"

namespace proxima::support {

struct Pki {
  net::CertificateAndKey authority = net::make_authority({.common_name = "authority"}).value();
  net::CertificateAndKey server =
      net::make_server_certificate(authority,
                                   {.common_name = "server", .names = {"127.0.0.1", "localhost"}})
          .value();
};

inline net::HttpServerOptions tls_options(const net::CertificateAndKey& certificate) {
  net::HttpServerOptions options;
  options.certificate_pem = certificate.certificate_pem;
  options.key_pem = certificate.key_pem;
  return options;
}

}  // namespace proxima::support
