// SPDX-License-Identifier: Apache-2.0
#include "net/tls_context.h"

#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>

#include <utility>

#include "base/ip_address.h"
#include "net/openssl_handles.h"

namespace proxima::net {

namespace {

Error unusable(std::string_view what) {
  ERR_clear_error();
  return {ErrorCode::InvalidInput, std::string(what)};
}

CertificatePtr next_certificate(BIO* bio) {
  return CertificatePtr(PEM_read_bio_X509_AUX(bio, nullptr, no_password, nullptr));
}

Status use_certificates(SSL_CTX* context, const std::string& pem) {
  const BioPtr bio = reader_of(pem);
  const CertificatePtr own = next_certificate(bio.get());
  if (!own || SSL_CTX_use_certificate(context, own.get()) != 1) {
    return unusable("the certificate cannot be read");
  }
  while (const CertificatePtr issuer = next_certificate(bio.get())) {
    if (SSL_CTX_add1_chain_cert(context, issuer.get()) != 1) {
      return unusable("the certificate's chain cannot be used");
    }
  }
  ERR_clear_error();  // the end of the text is reported as one
  return Unit{};
}

Status use_certificate_and_key(SSL_CTX* context, const std::string& certificate_pem,
                               const std::string& key_pem) {
  if (auto status = use_certificates(context, certificate_pem); !status) return status;
  const BioPtr bio = reader_of(key_pem);
  const KeyPtr key(PEM_read_bio_PrivateKey(bio.get(), nullptr, no_password, nullptr));
  if (!key) return unusable("the private key cannot be read (keys with a password are not)");
  if (SSL_CTX_use_PrivateKey(context, key.get()) != 1) {
    return unusable("the private key does not belong to the certificate");
  }
  return Unit{};
}

Status trust(SSL_CTX* context, const std::string& ca_pem) {
  if (ca_pem.empty()) {
    SSL_CTX_set_default_verify_paths(context);
    return Unit{};
  }
  X509_STORE* store = SSL_CTX_get_cert_store(context);
  // What the user names is trusted as it stands, also when it is not a root: as in Go.
  X509_STORE_set_flags(store, X509_V_FLAG_PARTIAL_CHAIN);
  const BioPtr bio = reader_of(ca_pem);
  int count = 0;
  while (const CertificatePtr authority = next_certificate(bio.get())) {
    // Reads its extensions now, and not on whichever threads come to the first handshakes.
    X509_check_purpose(authority.get(), -1, 0);
    count += X509_STORE_add_cert(store, authority.get());
  }
  ERR_clear_error();
  if (count == 0) return unusable("the certificate authority cannot be read");
  return Unit{};
}

// HTTP/1.1, when the client offers it; a client that asks for something else gets no answer.
int choose_protocol(SSL* /*session*/, const unsigned char** out, unsigned char* out_size,
                    const unsigned char* in, unsigned in_size, void* /*data*/) {
  static constexpr unsigned char kHttp[] = "\x08http/1.1";
  unsigned char* chosen = nullptr;
  if (SSL_select_next_proto(&chosen, out_size, kHttp, sizeof kHttp - 1, in, in_size) !=
      OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_NOACK;
  }
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

std::shared_ptr<SSL_CTX> new_context(const SSL_METHOD* method) {
  std::shared_ptr<SSL_CTX> context(SSL_CTX_new(method), SSL_CTX_free);
  PROXIMA_CHECK(context != nullptr);
  SSL_CTX_set_min_proto_version(context.get(), TLS1_2_VERSION);
  // Of TLS 1.2; those of 1.3 are all of this kind.
  PROXIMA_CHECK(SSL_CTX_set_cipher_list(context.get(), "ECDHE+AESGCM:ECDHE+CHACHA20") == 1);
  SSL_CTX_set_options(context.get(), SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
  // Hundreds of connections wait most of the time; their buffers need not.
  SSL_CTX_set_mode(context.get(), SSL_MODE_RELEASE_BUFFERS);
  return context;
}

}  // namespace

Result<TlsContext> TlsContext::for_server(const std::string& certificate_pem,
                                          const std::string& key_pem) {
  auto context = new_context(TLS_server_method());
  if (auto status = use_certificate_and_key(context.get(), certificate_pem, key_pem); !status) {
    return std::move(status).error();
  }
  SSL_CTX_set_alpn_select_cb(context.get(), choose_protocol, nullptr);
  return TlsContext(std::move(context));
}

Result<TlsContext> TlsContext::for_client(const TlsClientOptions& options) {
  auto context = new_context(TLS_client_method());
  if (!options.certificate_pem.empty()) {
    auto status = use_certificate_and_key(context.get(), options.certificate_pem, options.key_pem);
    if (!status) return std::move(status).error();
  }
  if (auto status = trust(context.get(), options.ca_pem); !status) {
    return std::move(status).error();
  }
  const int mode = options.skip_verification ? SSL_VERIFY_NONE : SSL_VERIFY_PEER;
  SSL_CTX_set_verify(context.get(), mode, nullptr);
  return TlsContext(std::move(context));
}

ssl_st* TlsContext::new_server_session() const {
  SSL* session = SSL_new(context_.get());
  PROXIMA_CHECK(session != nullptr);
  return session;
}

ssl_st* TlsContext::new_client_session(const std::string& host) const {
  SSL* session = SSL_new(context_.get());
  PROXIMA_CHECK(session != nullptr);
  X509_VERIFY_PARAM* rules = SSL_get0_param(session);
  if (IpAddress::parse(host)) {
    X509_VERIFY_PARAM_set1_ip_asc(rules, host.c_str());
    return session;  // an address is not a server name (RFC 6066)
  }
  X509_VERIFY_PARAM_set_hostflags(rules, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
  X509_VERIFY_PARAM_set1_host(rules, host.data(), host.size());
  // What the macro SSL_set_tlsext_host_name does, without its C casts.
  SSL_ctrl(session, SSL_CTRL_SET_TLSEXT_HOSTNAME, TLSEXT_NAMETYPE_host_name,
           const_cast<char*>(host.c_str()));
  return session;
}

Error handshake_problem(ssl_st* session, const std::string& error) {
  const long verdict = SSL_get_verify_result(session);
  if (verdict == X509_V_OK || SSL_get_verify_mode(session) == SSL_VERIFY_NONE) {
    return {ErrorCode::Retry, error};
  }
  return {ErrorCode::Denied,
          std::string("certificate refused: ") + X509_verify_cert_error_string(verdict)};
}

}  // namespace proxima::net
