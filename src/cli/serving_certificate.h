// SPDX-License-Identifier: Apache-2.0
// The certificate of --tls-cert-file and its key: read at the start, and again when it is replaced.
#pragma once

#include "base/result.h"
#include "cli/options.h"
#include "net/http_server.h"
#include "telemetry/log.h"

namespace proxima::cli {

// Errors name the flag.
Result<net::CertificateAndKey> read_serving_certificate(const StatusFlags& flags);
// The log must outlive it.
net::CertificateRenewal serving_certificate_renewal(const StatusFlags& flags,
                                                    const telemetry::Log& log);

}  // namespace proxima::cli
