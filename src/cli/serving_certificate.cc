// SPDX-License-Identifier: Apache-2.0
#include "cli/serving_certificate.h"

#include "cli/text_file.h"

namespace proxima::cli {

Result<net::CertificateAndKey> read_serving_certificate(const StatusFlags& flags) {
  net::CertificateAndKey out;
  PROXIMA_TRY(out.certificate_pem, read_text_file(flags.tls_cert_file), "--tls-cert-file");
  PROXIMA_TRY(out.key_pem, read_text_file(flags.tls_private_key_file), "--tls-private-key-file");
  return out;
}

net::CertificateRenewal serving_certificate_renewal(const StatusFlags& flags,
                                                    const telemetry::Log& log) {
  return {.fetch = [flags] { return read_serving_certificate(flags); },
          .failed =
              [&log](const Error& error) {
                log.warning("The serving certificate cannot be renewed; the one in use stays",
                            {{"problem", error.message}});
              }};
}

}  // namespace proxima::cli
